/// The position at which an event stream begins, and its first block.
struct StreamStart: Equatable {
    /// The id of the last notification that the client is taken to know.
    let after: Int64
    /// The id that the first block announces; nil for a client that goes on from the id that it sent.
    let announced: Int64?
    /// The id that the client sent, if it is above all ids that the database has drawn: it is of another
    /// database, or of this one before it was restored from a backup.
    let unknown: Int64?

    /// Creates the start of a client that sent `asked`, nil for new notifications only. `since` is the
    /// position of the subscription, which another server may be ahead of; `newest` returns the newest id of
    /// the database, and is asked only for an id above `since`.
    init(asked: Int64?, since: Int64, newest: () async throws -> Int64) async rethrows {
        let isUnknown = if let asked, asked > since { asked > (try await newest()) } else { false }
        after = isUnknown ? since : asked ?? since
        announced = isUnknown ? since : asked == nil ? since : nil
        unknown = isUnknown ? asked : nil
    }

    /// The first block. It has a position for a client that sent none, so that a client that is cut off
    /// before the first notification misses none.
    var greeting: String {
        let note = unknown.map { ": \($0) is above the newest id; going on from now\n" } ?? ""
        let position = announced.map { "id: \($0)\n" } ?? ""
        return ": welcome\n\(note)\(position)\(StreamRetry.afterEnd.field)\n"
    }
}
