package import Contract

/// The duties of the rooms' owner, which the cluster calls.
package struct RoomDuties: Sendable {
    /// Returns the rooms that are open here, with their terms.
    package var open: @Sendable () async -> [Identifier: Int32] = { [:] }
    /// Reads from the database which rooms others have taken over, and gives them up. It runs after each
    /// renewal, and before the renewal counts.
    package var giveUpLost: @Sendable () async throws -> Void = {}
    /// Gives a room up, since another server has it with this higher term.
    package var giveUp: @Sendable (Identifier, Int32) async -> Void = { _, _ in }
    /// Goes on with what was held back while nothing could be relied on.
    package var goOn: @Sendable () -> Void = {}
    /// Releases the members of servers that have lapsed (`PostgresSchedule.releaseLapsed`).
    package var releaseLapsed: @Sendable () async throws -> Void = {}

    /// The duties of a server without rooms.
    package static var withoutRooms: RoomDuties { RoomDuties() }
}
