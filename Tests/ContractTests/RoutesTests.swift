import Testing

@testable import Contract

struct RoutesTests {
    private let id = Identifier(value: 1)

    @Test(
        "a socket's address follows the public one",
        arguments: [("http://a:1/", "ws://a:1"), ("https://a", "wss://a")])
    func socketURL(publicURL: String, base: String) {
        #expect(
            Routes.socketURL(publicURL: publicURL, room: id, ticket: "t.+/")
                == "\(base)/socket?id=\(id)&token=t.%2B%2F")
    }

    @Test("a socket's address says which server has the room, where that is known")
    func serverOfSocket() {
        let url = Routes.socketURL(publicURL: "https://a", room: id, ticket: "t", server: "one-1_a.b")
        #expect(url == "wss://a/socket?id=\(id)&token=t&server=one-1_a.b")
        #expect(
            Routes.socket(room: id, server: "a&b=c", resuming: ("e", 7))
                == "/socket?id=\(id)&server=a%26b%3Dc&epoch=e&since=7")
    }

    @Test("what belongs to a room or a registration is named by it")
    func people() {
        #expect(Routes.explanation(ofRoom: id) == "/v1/rooms/\(id)/explanation")
        #expect(Routes.block(id) == "/v1/blocks/\(id)")
        #expect(Routes.favourite(id) == "/v1/favourites/\(id)")
    }

    @Test("queries are percent-encoded, and items without a value are left out")
    func queries() {
        #expect(Routes.query("/p", [("a", "x y+é"), ("b", nil), ("c", "~")]) == "/p?a=x%20y%2B%C3%A9&c=~")
        #expect(Routes.query("/p", [("b", nil)]) == "/p")
        #expect(Routes.socket(room: id, resuming: ("e", 7)) == "/socket?id=\(id)&epoch=e&since=7")
    }
}
