package import Contract
package import Matching

/// The changes in the database by placements of late members, gathered so that each table is written once.
package struct MatchChanges: Sendable {
    /// A registration that joins or leaves a room.
    package struct Move: Equatable, Sendable {
        package var room: Identifier
        package var registration: Identifier
    }

    private let users: [Identifier: Identifier]
    private let membersOf: [Identifier: [Identifier]]
    private let makeRoomID: @Sendable () -> Identifier
    package private(set) var newRooms: [Identifier] = []
    /// The rooms that existed before and have changed; the revision of each grows by one.
    package private(set) var changedRooms: [Identifier] = []
    package private(set) var joins: [Move] = []
    /// The departures of members who have not entered, and of those in `alone`.
    package private(set) var leaves: [Move] = []
    /// The members who leave a room because they are alone in it.
    package private(set) var alone: Set<Identifier> = []
    private(set) var arrivalCount = 0
    /// The notifications to be written. The revisions are those of new rooms; the revision of a changed room
    /// is known when the rooms are written.
    package private(set) var notices: [Notice] = []

    package init(_ company: SlotParticipants, makeRoomID: @escaping @Sendable () -> Identifier) {
        users = company.users
        self.makeRoomID = makeRoomID
        membersOf = Dictionary(grouping: company.members, by: \.room).mapValues { $0.map(\.registration) }
    }

    package var touchedRooms: [Identifier] { newRooms + changedRooms }

    /// Adds placements. The members of a changed room are told once, even if the room is in several
    /// placements.
    package mutating func add(_ placements: [Placement<Identifier>]) {
        for placement in placements { add(placement) }
        let gone = Set(leaves.map(\.registration))
        for room in changedRooms {
            for member in membersOf[room] ?? [] where !gone.contains(member) {
                tell(member, .roomChanged, room)
            }
        }
    }

    private mutating func add(_ placement: Placement<Identifier>) {
        switch placement {
        case .open(let arrivals):
            let room = open(with: arrivals)
            welcome(arrivals, to: room)
        case .join(let room, let arrivals):
            joins += arrivals.map { Move(room: room, registration: $0) }
            change(room)
            welcome(arrivals, to: room)
        case .split(let room, let leaving, let arrivals):
            leaves.append(Move(room: room, registration: leaving))
            change(room)
            let new = open(with: [leaving] + arrivals)
            tell(leaving, .roomChanged, new)
            welcome(arrivals, to: new)
        }
    }

    private mutating func change(_ room: Identifier) {
        if !changedRooms.contains(room) { changedRooms.append(room) }
    }

    private mutating func welcome(_ arrivals: [Identifier], to room: Identifier) {
        for arrival in arrivals { tell(arrival, .roomOpened, room) }
        arrivalCount += arrivals.count
    }

    /// Adds moves. The moved members are told, and so are the other members of both rooms, present or not.
    package mutating func add(_ moves: [Matching.Move<Identifier>]) {
        for move in moves {
            leaves.append(Move(room: move.from, registration: move.member))
            joins.append(Move(room: move.to, registration: move.member))
            alone.insert(move.member)
        }
        for room in Set(moves.flatMap { [$0.from, $0.to] }).sorted(by: { $0.value < $1.value }) {
            changedRooms.append(room)
            for member in membersOf[room] ?? [] where !alone.contains(member) {
                tell(member, .roomChanged, room)
            }
        }
        for move in moves { tell(move.member, .roomChanged, move.to) }
    }

    /// The members who join each room, with those who stay there.
    package var gatherings: [Gathering] {
        let gone = Set(leaves.map(\.registration))
        return Dictionary(grouping: joins, by: \.room).map { room, joins in
            let staying = (membersOf[room] ?? []).filter { !gone.contains($0) }
            return Gathering(
                arriving: joins.compactMap { person($0.registration) }, staying: staying.compactMap(person))
        }
    }

    private func person(_ registration: Identifier) -> Gathering.Person? {
        users[registration].map { Gathering.Person(registration: registration, user: $0) }
    }

    private mutating func open(with members: [Identifier]) -> Identifier {
        let room = makeRoomID()
        newRooms.append(room)
        joins += members.map { Move(room: room, registration: $0) }
        return room
    }

    private mutating func tell(_ registration: Identifier, _ type: NotificationType, _ room: Identifier?) {
        guard let user = users[registration] else { return }
        notices.append(Notice(user: user, type: type, registration: registration, room: room, revision: 1))
    }
}
