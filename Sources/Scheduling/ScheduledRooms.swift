package import Contract

/// The open rooms of this server, as the scheduler uses them.
package protocol ScheduledRooms: Sendable {
    /// Stores all entries until now.
    func storeEntries() async throws
    /// Stores all entries and counts until now, and closes rooms that are over.
    func storeEverything() async throws
    /// Stores which members are present, since the database may have forgotten it.
    func storePresence() async throws
    /// Reads these rooms again, since their members have changed.
    func refresh(_ rooms: [Identifier]) async
}
