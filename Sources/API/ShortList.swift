import Contract
import HTTP1
import HTTPServer

/// A list that is so short that it is read whole, oldest first, and answered in pages like longer ones.
struct ShortList<Entry> {
    /// The place of an entry: its id, and for entries that are gone meanwhile when they were made.
    struct Cursor: Equatable {
        var createdAt: Timestamp
        var id: Identifier

        var text: String { "\(createdAt.microseconds)_\(id)" }
    }

    let entries: [Entry]
    let cursor: (Entry) -> Cursor

    /// Answers with the page that the request asks for: `list` is given its entries, and the cursor of the
    /// next one if there is one.
    func answer<List: Encodable>(
        _ path: String, in language: Language? = nil, for request: HTTPRequest,
        _ list: ([Entry], String?) -> List
    ) throws -> HTTPResponse {
        let query = QueryReader(request.query)
        let limit = try query.limit()
        var rest = entries[...]
        if let last = try query.cursor({ Cursor($0) }) {
            if let index = entries.firstIndex(where: { cursor($0) == last }) {
                rest = entries[(index + 1)...]
            } else {
                rest = rest.drop { cursor($0).createdAt <= last.createdAt }
            }
        }
        let page = Array(rest.prefix(limit))
        let next = rest.count > limit ? page.last.map { cursor($0).text } : nil
        return try Answer.page(list(page, next), of: path, next: next, in: language, for: request)
    }
}

extension ShortList.Cursor {
    /// Reads a cursor; nil if no server wrote it.
    init?(_ text: String) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, let microseconds = Int64(parts[0]), let id = Identifier(String(parts[1]))
        else {
            return nil
        }
        self.init(createdAt: Timestamp(microseconds: microseconds), id: id)
    }
}
