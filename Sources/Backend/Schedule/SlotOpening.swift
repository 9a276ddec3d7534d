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

extension SlotOpening {
    var gatherings: [Gathering] {
        rooms.map { room in
            Gathering(
                arriving: room.members.map {
                    Gathering.Person(registration: $0.registration, user: $0.user)
                })
        }
    }
}

/// People who are about to meet in a room: each of those who come meets all the others.
struct Gathering: Sendable {
    struct Person: Sendable {
        var registration: UUID
        var user: UUID
    }

    var arriving: [Person]
    /// Those who have the room already and keep it.
    var staying: [Person] = []

    /// How many pairs meet.
    var encounters: Int { arriving.count * (arriving.count - 1) / 2 + arriving.count * staying.count }

    func forEachEncounter(_ body: (Person, Person) -> Void) {
        for (index, one) in arriving.enumerated() {
            for other in arriving[(index + 1)...] { body(one, other) }
            for other in staying { body(one, other) }
        }
    }
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
