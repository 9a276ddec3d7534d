package import Contract

/// Sample values of tests.
package enum Sample {
    package static let room = Identifier(value: 1)
    package static let other = Identifier(value: 2)
    package static let me = Identifier(value: 10)
    package static let partner = Identifier(value: 11)
    package static let start = Timestamp(seconds: 1_800_000_000)

    package static let user = User(id: Identifier(value: 5), name: "Alice", timeZone: "UTC", createdAt: start)

    package static let members = [
        Member(id: me, name: "Alice", task: "Write", tag: nil, you: true, present: true),
        Member(id: partner, name: "Bob", task: "Read", tag: "books", you: false, present: true),
    ]

    package static func handshake(
        seq: Int64 = 0, recovered: Bool = false, room: Identifier = room, left: Duration = .seconds(1800),
        now: Timestamp = start, epoch: String = "e1", pingSeconds: Int64 = 20
    ) -> ServerMessage {
        .handshake(
            .init(
                room: room, you: me, epoch: epoch, seq: seq, recovered: recovered, now: now, startsAt: now,
                closesAt: now.adding(left), pingSeconds: pingSeconds, members: members))
    }

    package static func ale(_ seq: Int64) -> ServerMessage {
        .aleResponse(.init(from: partner, seq: seq, at: start))
    }

    /// Returns a room that is open at that instant.
    package static func openRoom(at now: Timestamp) -> Room {
        let slot = SlotSpan(startsAt: now.adding(.seconds(-60)), endsAt: now.adding(.seconds(1740)))
        return Room(
            id: room, slot: slot, opensAt: slot.startsAt.adding(.seconds(-60)), closesAt: slot.endsAt,
            socketUrl: "ws://127.0.0.1:1/socket", members: members, ales: 0)
    }
}
