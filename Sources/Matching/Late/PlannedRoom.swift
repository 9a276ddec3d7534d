/// A room with the people who are to join it, or a new room.
struct PlannedRoom<ID: Hashable & Sendable> {
    enum Place {
        case open(ID)
        case new
        /// A new room with a member that the open room gives up.
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

    /// Creates a new room.
    init(_ people: [ID]) {
        place = .new
        members = []
        joining = people
    }

    /// Creates a new room with a member that an open room gives up.
    private init(_ leaving: OpenRoom<ID>.Member, of room: ID, _ arrival: ID) {
        place = .splitFrom(room)
        members = [leaving]
        joining = [arrival]
    }

    /// The members who are there or may be waited for, and the people who are joining.
    var present: [ID] {
        members.filter { !$0.isAbsent }.map(\.id) + joining
    }

    var company: Int {
        members.reduce(joining.count) { $1.isAbsent ? $0 : $0 + 1 }
    }

    /// The people who have not entered yet, and may be sent elsewhere.
    var free: [ID] {
        members.filter { !$0.hasEntered && !$0.isAbsent }.map(\.id) + joining
    }

    /// Returns whether the arrival may meet all members who may turn up.
    func admits(_ arrival: ID, _ preferences: Preferences<ID>) -> Bool {
        members.allSatisfy { preferences.mayMeet(arrival, $0.id) }
            && preferences.mayMeet(arrival, all: joining)
    }

    /// Gives up a free person, who meets the arrival in a new room.
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

    /// The placement of the people who join; nil for an open room without new members.
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
