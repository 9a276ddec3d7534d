import Contract
import Matching

/// A transaction on one slot, which nobody else matches, leaves or closes meanwhile. Each call sees what those before
/// it have written.
protocol SlotTransaction: Sendable {
    /// Nil where nobody ever registered for the slot.
    func slot() async throws -> SlotRecord?

    /// Who is registered and has no room, by their ids.
    func arrivals() async throws -> [SlotArrival]

    /// The members of the slot's rooms, room after room, the oldest room first, each room's members by their ids.
    func members() async throws -> [SlotMember]

    /// Writes what a match has changed, the notifications among it, and marks the slot as opened.
    ///
    /// Throws `MatchOvertaken` where somebody who was to be moved has entered meanwhile: the match has to be planned
    /// anew.
    func write(_ changes: MatchChanges, at now: Timestamp) async throws

    /// Ends the slot, and tells everybody how it went.
    func close(at now: Timestamp) async throws
}

struct SlotRecord: Equatable, Sendable {
    var endsAt: Timestamp
    var isOpened: Bool
    var isClosed: Bool
}

struct SlotArrival: Equatable, Sendable {
    var registration: UUID
    var user: UUID
}

struct SlotMember: Equatable, Sendable {
    var room: UUID
    var registration: UUID
    var user: UUID
    var hasEntered: Bool
}

/// Somebody who was to be moved has entered a room meanwhile.
struct MatchOvertaken: Error {}
