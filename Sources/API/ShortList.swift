import Contract
import HTTP1
import HTTPServer

/// A list that is so short that it is read whole, oldest first, and answered in pages like longer ones.
struct ShortList<Entry> {
    /// The place of an entry: its id, and for entries that are gone meanwhile when they were made.
    struct Cursor: Equatable {
        var createdAt: Timestamp
        var id: Identifier

        init(createdAt: Timestamp, id: Identifier) {
            self.createdAt = createdAt
            self.id = id
        }

        /// Reads a cursor; nil if no server wrote it.
        init?(_ text: String) {
            let parts = text.split(separator: "_", omittingEmptySubsequences: false)
            guard parts.count == 2, let microseconds = Int64(parts[0]), let id = Identifier(String(parts[1]))
            else {
                return nil
            }
            self.init(createdAt: Timestamp(microseconds: microseconds), id: id)
        }

        var text: String { "\(createdAt.microseconds)_\(id)" }
    }

    let entries: [Entry]
    let cursor: (Entry) -> Cursor

    /// Returns the page that the request asks for, and the cursor of the next one if there is one.
    func page(for request: HTTPRequest) throws -> (entries: [Entry], next: String?) {
        let query = QueryReader(request.query)
        let limit = try query.limit()
        var rest = entries[...]
        if let last = try query.listCursor(Cursor.init) {
            if let index = entries.firstIndex(where: { cursor($0) == last }) {
                rest = entries[(index + 1)...]
            } else {
                rest = rest.drop { cursor($0).createdAt <= last.createdAt }
            }
        }
        let page = Array(rest.prefix(limit))
        return (page, rest.count > limit ? page.last.map { cursor($0).text } : nil)
    }
}
