/// An open room with those who are to join it.
struct PlannedRoom<ID: Hashable & Sendable> {
    let id: ID
    let members: [OpenRoom<ID>.Member]
    var joining: [ID] = []

    init(_ room: OpenRoom<ID>) {
        id = room.id
        members = room.members
    }

    /// Those who are there or may be waited for, and those who are joining.
    var present: [ID] {
        members.filter { !$0.isAbsent }.map(\.id) + joining
    }

    var company: Int {
        members.reduce(joining.count) { $1.isAbsent ? $0 : $0 + 1 }
    }

    /// Whether this one may meet everybody who may turn up.
    func admits(_ arrival: ID, _ relations: Relations<ID>) -> Bool {
        members.allSatisfy { relations.mayMeet(arrival, $0.id) } && relations.mayMeet(arrival, all: joining)
    }
}
