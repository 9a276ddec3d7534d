import Codecs
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
        rooms { rules.isAbsent($0, startsAt, at: now) }
    }

    /// The rooms with one member and no other who could still come.
    package var deserted: [OpenRoom<Identifier>] {
        rooms { _ in false }.filter { $0.members.count == 1 }
    }

    /// Returns the moves that bring together members who are alone in some of the rooms.
    package func moves(
        between rooms: [OpenRoom<Identifier>], _ rules: ScheduleRules, _ seed: UInt64
    ) -> [Move<Identifier>] {
        var random = SplitMix64(seed: seed)
        return MatchPlanner.rematch(
            rooms, preferences: preferences, roomSize: rules.roomSize, trios: rules.trios, using: &random)
    }

    private func rooms(isAbsent: (SlotMember) -> Bool) -> [OpenRoom<Identifier>] {
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
                            isAbsent: isAbsent(member))
                    }))
        }
        return rooms
    }
}
