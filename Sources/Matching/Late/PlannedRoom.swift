/// A room with those who are to join it, or a new one.
struct PlannedRoom<ID: Hashable & Sendable> {
    enum Place {
        case open(ID)
        case new
        /// New, with somebody whom that open room gives up.
        case splitFrom(ID)
    }

    let place: Place
    private(set) var members: [OpenRoom<ID>.Member]
    var joining: [ID]

    init(_ room: OpenRoom<ID>) {
        place = .open(room.id)
        members = room.members
        joining = []
    }

    /// A new one.
    init(_ people: [ID]) {
        place = .new
        members = []
        joining = people
    }

    /// A new one, with somebody whom an open one gives up.
    private init(_ leaving: OpenRoom<ID>.Member, of room: ID, _ arrival: ID) {
        place = .splitFrom(room)
        members = [leaving]
        joining = [arrival]
    }

    /// Those who are there or may be waited for, and those who are joining.
    var present: [ID] {
        members.filter { !$0.isAbsent }.map(\.id) + joining
    }

    var company: Int {
        members.reduce(joining.count) { $1.isAbsent ? $0 : $0 + 1 }
    }

    /// Who has not come in yet, and may be sent elsewhere.
    var free: [ID] {
        members.filter { !$0.hasEntered && !$0.isAbsent }.map(\.id) + joining
    }

    /// Whether this one may meet everybody who may turn up.
    func admits(_ arrival: ID, _ preferences: Preferences<ID>) -> Bool {
        members.allSatisfy { preferences.mayMeet(arrival, $0.id) }
            && preferences.mayMeet(arrival, all: joining)
    }

    /// Gives up somebody who is free, to meet the arrival in a new room.
    mutating func split(_ leaving: ID, _ arrival: ID) -> PlannedRoom {
        guard let index = members.firstIndex(where: { $0.id == leaving }) else {
            joining.removeAll { $0 == leaving }
            return PlannedRoom([leaving, arrival])
        }
        let member = members.remove(at: index)
        switch place {
        case .open(let room), .splitFrom(let room):
            return PlannedRoom(member, of: room, arrival)
        case .new: return PlannedRoom([leaving, arrival])
        }
    }

    /// Nil where nothing has changed, but for who is given up.
    var placement: Placement<ID>? {
        switch place {
        case .open(let room): joining.isEmpty ? nil : .join(room: room, joining)
        case .splitFrom(let room):
            if let leaving = members.first {
                .split(room: room, leaving: leaving.id, arrivals: joining)
            } else {
                .open(joining)
            }
        case .new: .open(joining)
        }
    }
}
