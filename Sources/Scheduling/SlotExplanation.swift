package import Contract
package import Matching

/// The reasons for the rooms of a slot at its opening, for operators: the match is made again from its seed.
/// It names registrations, and no user.
package struct SlotExplanation: Sendable {
    package struct Room: Sendable {
        package var members: [SlotPerson]
        package var reasons: RoomReasons

        package init(members: [SlotPerson], reasons: RoomReasons) {
            self.members = members
            self.reasons = reasons
        }
    }

    package let startsAt: Timestamp
    package let openedAt: Timestamp
    package let record: MatchRecord
    /// The rooms of the opening, with the members who are still known and their reasons.
    package let rooms: [(id: Identifier, room: Room)]
    /// The changes since the opening, in words.
    package let changes: [String]
    package let tasks: [Identifier: String]
    package let people: [SlotPerson]
    package let graph: PreferenceGraph

    package init(
        startsAt: Timestamp, openedAt: Timestamp, record: MatchRecord, rooms: [(id: Identifier, room: Room)],
        changes: [String], tasks: [Identifier: String], people: [SlotPerson], graph: PreferenceGraph
    ) {
        self.startsAt = startsAt
        self.openedAt = openedAt
        self.record = record
        self.rooms = rooms
        self.changes = changes
        self.tasks = tasks
        self.people = people
        self.graph = graph
    }

    package var text: String { text(withTasks: true) }

    /// The same without what people have written.
    package var textWithoutTasks: String { text(withTasks: false) }

    private func text(withTasks: Bool) -> String {
        var lines = [
            "Slot \(SlotKey(startsAt)), opened at \(openedAt): "
                + "\(counted(people.count, "person", "people")), \(counted(rooms.count, "room")).",
            "Seed \(record.seed), method \(record.method.rawValue): cost \(record.cost), bound "
                + "\(record.bound).",
        ]
        if changes.isEmpty {
            lines.append("Made again from the seed, the match is the same.")
        } else {
            lines.append("The inputs have changed since, so that what follows is as of now:")
            lines += changes.map { "- \($0)" }
        }
        let indexes = Dictionary(
            people.enumerated().map { ($1.registration, Int32($0)) }, uniquingKeysWith: { first, _ in first })
        for (id, room) in rooms {
            let reasons = room.reasons
            lines.append(
                "Room \(id): cost \(reasons.cost) (meetings \(reasons.meetings), tags \(reasons.tags), "
                    + "favourites \(reasons.favourites))")
            for member in room.members where withTasks {
                let tag = member.tag.map { ", tag \(Self.quoted($0))" } ?? ""
                lines.append(
                    "  \(member.registration): \(Self.quoted(tasks[member.registration] ?? ""))\(tag)")
            }
            lines += words(room.members, indexes).map { "  \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    private func words(_ members: [SlotPerson], _ indexes: [Identifier: Int32]) -> [String] {
        if members.count == 1 {
            if people.count == 1 { return ["the only one"] }
            if members[0].intent.favouritesOnly { return ["alone: meets favourites only"] }
            return ["left alone: no possible partner was left"]
        }
        var words: [String] = []
        for (index, one) in members.enumerated() {
            for other in members[(index + 1)...] {
                guard let first = indexes[one.registration], let second = indexes[other.registration] else {
                    continue
                }
                let pair = RoomReasons([first, second], in: graph)
                var reasons = [
                    pair.meetings == 0 ? "no meeting that counts" : "met before (\(pair.meetings))"
                ]
                if let tag = one.tag, tag == other.tag { reasons.append("same tag") }
                if [one, other].contains(where: \.intent.favouritesOnly) {
                    reasons.append("favourites only")
                }
                if one.intent.invitedBy == other.registration || other.intent.invitedBy == one.registration {
                    reasons.append("invited")
                }
                words.append(
                    "\(one.registration) and \(other.registration): \(reasons.joined(separator: ", "))")
            }
        }
        return words
    }

    /// Returns the text in quotes, escaped so that users' texts cannot control a terminal.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _
            where scalar.properties.generalCategory == .control
                || scalar.properties.generalCategory == .format:
                quoted += "\\u{\(String(scalar.value, radix: 16))}"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
