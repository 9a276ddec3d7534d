import Codecs
import HTTP1
import Testing

struct QueryItemsTests {
    @Test("a query is names and values in order")
    func query() throws {
        let items = try QueryItems("a=1&b&=x&&a=2%26+3%2B&c==")
        #expect(items.items.map(\.name) == ["a", "b", "", "a", "c"])
        #expect(items.all("a") == ["1", "2& 3+"])
        #expect(items.first("b") == "")
        #expect(items.first("c") == "=")
        #expect(items.first("d") == nil)
        #expect(try QueryItems(nil).items.isEmpty)
        #expect(try QueryItems(QueryItems.encode(items.items)) == items)
    }

    @Test("a query with a bad escape is refused")
    func badQuery() {
        #expect(throws: PercentCoding.Failure.badEscape) { try QueryItems("a=%") }
    }

    @Test("lists are split, trimmed and lower-cased over all fields")
    func tokens() {
        let headers: HTTPHeaders = ["Connection": "Keep-Alive, ,Upgrade ", "X": "y", "connection": "\tfoo"]
        #expect(headers.tokens("CONNECTION") == ["keep-alive", "upgrade", "foo"])
    }
}
