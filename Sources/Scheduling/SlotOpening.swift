package import Contract
package import Matching

/// The first match of a slot, or a part of it, as it is written.
package struct SlotOpening: Sendable {
    package struct Room: Sendable {
        package var id: Identifier
        package var members: [SlotPerson]

        package init(id: Identifier, members: [SlotPerson]) {
            self.id = id
            self.members = members
        }
    }

    package var rooms: [Room]
    /// The people of the match who are alone while others of the slot have company.
    package var leftAlone: [SlotPerson] = []
    /// The record of the match; nil if more parts follow, and the slot is not open yet.
    package var record: MatchRecord?
}

extension SlotOpening {
    package var gatherings: [Gathering] {
        rooms.map { room in
            Gathering(
                arriving: room.members.map {
                    Gathering.Person(registration: $0.registration, user: $0.user)
                })
        }
    }
}

/// People who are about to meet in a room: each of the arriving people meets all the others.
package struct Gathering: Sendable {
    package struct Person: Sendable {
        package var registration: Identifier
        package var user: Identifier
    }

    package var arriving: [Person]
    /// The members who have the room already and keep it.
    package var staying: [Person] = []

    /// The number of pairs that meet.
    package var encounters: Int { arriving.count * (arriving.count - 1) / 2 + arriving.count * staying.count }

    package func forEachEncounter(_ body: (Person, Person) -> Void) {
        for (index, one) in arriving.enumerated() {
            for other in arriving[(index + 1)...] { body(one, other) }
            for other in staying { body(one, other) }
        }
    }
}

/// The inputs from which a match can be made again, and its cost and bound.
package struct MatchRecord: Equatable, Sendable {
    package var seed: UInt64
    package var method: SlotMatch.Method
    package var cost: Int64
    package var bound: Int64
    /// The instant at which the edges were read. Registrations and blocks are as of the opening.
    package var asOf: Timestamp

    package init(seed: UInt64, method: SlotMatch.Method, cost: Int64, bound: Int64, asOf: Timestamp) {
        self.seed = seed
        self.method = method
        self.cost = cost
        self.bound = bound
        self.asOf = asOf
    }
}

extension Scheduler {
    /// Makes room ids without the match's own generator: that one can be seeded, and a room's id must not be
    /// guessed.
    static let unguessable: @Sendable () -> Identifier = {
        var system = SystemRandomNumberGenerator()
        return Identifier.v4(using: &system)
    }
}
