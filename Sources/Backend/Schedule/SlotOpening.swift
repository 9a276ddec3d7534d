import Contract
import Matching

/// The first match of a slot, or a part of it, as it is written.
struct SlotOpening: Sendable {
    struct Room: Sendable {
        var id: UUID
        var members: [SlotPerson]
    }

    var rooms: [Room]
    /// Of these people, who is alone while others of the slot have company.
    var leftAlone: [SlotPerson] = []
    /// How the match came about. Nil where more parts follow: the slot is not open yet.
    var record: MatchRecord?
}

/// From what a match can be made again, and how good it is.
struct MatchRecord: Equatable, Sendable {
    var seed: UInt64
    var method: SlotMatch.Method
    var cost: Int64
    var bound: Int64
    /// When it was read what people know of each other. Who was registered, and who had blocked whom, are as of the
    /// opening.
    var asOf: Timestamp
}
