package import Contract
package import Matching

/// The people of an open slot, with a room or without, and their preferences.
package struct SlotParticipants {
    package let users: [Identifier: Identifier]
    package let members: [SlotMember]
    let preferences: Preferences<Identifier>

    init(_ arrivals: [SlotPerson], _ members: [SlotMember], _ edges: [SlotEdge]) {
        self.members = members
        var users: [Identifier: Identifier] = [:]
        for arrival in arrivals { users[arrival.registration] = arrival.user }
        for member in members { users[member.registration] = member.user }
        self.users = users
        let people =
            arrivals
            + members.map {
                SlotPerson(registration: $0.registration, user: $0.user, tag: $0.tag, intent: $0.intent)
            }
        preferences = Preferences(people.map(\.registration), PreferenceGraph(people, edges))
    }

    package func rooms(_ rules: ScheduleRules, _ startsAt: Timestamp, at now: Timestamp) -> [OpenRoom<
        Identifier
    >] {
        var rooms: [OpenRoom<Identifier>] = []
        var rest = members[...]
        while let room = rest.first?.room {
            let together = rest.prefix { $0.room == room }
            rest = rest.dropFirst(together.count)
            rooms.append(
                OpenRoom(
                    id: room,
                    members: together.map { member in
                        OpenRoom.Member(
                            id: member.registration, hasEntered: member.hasEntered,
                            isAbsent: rules.isAbsent(member, startsAt, at: now))
                    }))
        }
        return rooms
    }
}
