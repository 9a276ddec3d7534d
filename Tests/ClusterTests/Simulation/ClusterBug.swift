/// A planted bug, to check that a simulation finds it. All are in what surrounds the code under test, or in
/// the calls between its parts: nothing of them is in the product.
enum ClusterBug: String, CaseIterable, Sendable {
    // The database.

    /// A room that gets another owner keeps its term.
    case keepsTerms
    /// A server that refuses a connection counts as ended, though it holds its lock.
    case trustsRefusals
    /// No room is claimed from another server.
    case neverTakesOver
    /// A server that starts on its disk restores rooms that others have owned since.
    case restoresLostRooms

    // The lease.

    /// A server does not notice that it stood still.
    case overlooksPauses
    /// A server acknowledges, whatever its lease says.
    case answersAlways
    /// A server does not ask which rooms it has lost, and hears of no changes.
    case overlooksLosses
    /// A server does not give up the rooms that its peers know higher terms of.
    case ignoresPeers
    /// A server does not tell its peers the terms of rooms.
    case knowsNoTerms
    /// A new owner does not wait before it acknowledges.
    case neverWaits

    // The hand-over.

    /// A room goes on taking ales after its state was read for another server.
    case givesOpenRooms
    /// A server opens a room with the state that it was ever sent, in any term.
    case takesOldArrivals
    /// A server loses the rooms that are sent to it.
    case losesArrivals
    /// A server opens the rooms that are sent to it without reading that it owns them.
    case servesUnread
    /// A server takes the row of a room for unchanged where the database has not answered.
    case forgetsDoubt
    /// A server does not note that its disk has the rooms that were handed to it.
    case skipsLogs
}

extension ClusterBug {
    /// The seed at which the search begins: a world that finds a bug which few worlds do, to save the search.
    var seed: UInt64 {
        let known: [ClusterBug: UInt64] = [
            .trustsRefusals: 1458, .overlooksPauses: 49, .answersAlways: 49, .overlooksLosses: 35,
            .ignoresPeers: 114, .knowsNoTerms: 78, .neverWaits: 97, .takesOldArrivals: 443,
            .servesUnread: 125, .skipsLogs: 405,
        ]
        return known[self] ?? 1
    }

    /// The most worlds from there on until the bug is found.
    static let bound: UInt64 = 1_000
}
