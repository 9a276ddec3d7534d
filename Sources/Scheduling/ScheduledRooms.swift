package import Contract

/// What the scheduler asks of the rooms that are open on this server.
package protocol ScheduledRooms: Sendable {
    /// Stores who entered until now.
    func storeEntries() async throws
    /// The same, and the counts; rooms that are over are closed.
    func storeEverything() async throws
    /// Stores who is present, where the database may have forgotten it.
    func storePresence() async throws
    /// Who belongs to these rooms is not what it was.
    func refresh(_ rooms: [Identifier]) async
}
