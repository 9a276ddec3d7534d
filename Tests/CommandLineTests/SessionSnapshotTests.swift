import ClientTesting
import Contract
import Testing

@testable import letsswitch

@Suite("How a session stands for wait")
struct SessionSnapshotTests {
    private static func registration(_ state: RegistrationState) -> Registration {
        Registration(
            id: Sample.me, slot: SlotSpan(key: Sample.start, endsAt: Sample.start.adding(.seconds(1800))),
            task: "Wr\u{1B}ite", tag: nil, state: state, roomId: nil, createdAt: Sample.start,
            updatedAt: Sample.start)
    }

    /// Returns a room with a partner or without, who is present or not.
    private static func room(hasPartner: Bool = true, isPresent: Bool = false) -> Room {
        var room = Sample.openRoom(at: Sample.start)
        room.members[1].present = isPresent
        if !hasPartner { room.members.removeLast() }
        return room
    }

    private static func word(_ progress: SessionSnapshot.Progress) -> String {
        switch progress {
        case .reached: "reached"
        case .waiting: "waiting"
        case .over: "over"
        }
    }

    @Test(
        "is out of reach once it is over",
        arguments: [RegistrationState.cancelled, .attended, .missed, .lapsed], WaitGoal.allCases)
    func over(state: RegistrationState, goal: WaitGoal) {
        let snapshot = SessionSnapshot(registration: Self.registration(state), room: Self.room())
        #expect(Self.word(snapshot.progress(to: goal)) == "over")
    }

    @Test(
        "has a partner before the opening if another person is registered, and nothing else then",
        arguments: SlotState.allCases)
    func registered(slot: SlotState) {
        let snapshot = SessionSnapshot(registration: Self.registration(.registered), slot: slot)
        let words = WaitGoal.allCases.map { Self.word(snapshot.progress(to: $0)) }
        #expect(words == [slot == .partnered ? "reached" : "waiting", "waiting", "waiting"])
        #expect(WaitGoal.allCases.allSatisfy { !snapshot.changesUntold(for: $0) })
    }

    @Test(
        "is open with a room, matched with a partner in it, and connected where one is present",
        arguments: [
            (Self.room(hasPartner: false), ["waiting", "reached", "waiting"]),
            (Self.room(), ["reached", "reached", "waiting"]),
            (Self.room(isPresent: true), ["reached", "reached", "reached"]),
        ])
    func opened(room: Room, words: [String]) {
        let snapshot = SessionSnapshot(registration: Self.registration(.matched), room: room)
        #expect(WaitGoal.allCases.map { Self.word(snapshot.progress(to: $0)) } == words)
        #expect(WaitGoal.allCases.filter { snapshot.changesUntold(for: $0) } == [.connected])
    }

    @Test("is out of reach once an operator, or anything that closes rooms later, has closed the room")
    func closed() {
        for closer in [Extensible<RoomCloser>.known(.operator), .unknown("robot")] {
            var room = Self.room(isPresent: true)
            room.closedBy = closer
            let snapshot = SessionSnapshot(registration: Self.registration(.matched), room: room)
            #expect(WaitGoal.allCases.allSatisfy { Self.word(snapshot.progress(to: $0)) == "over" })
        }
    }

    @Test("counts no presence of one's own as a partner's")
    func alone() {
        var room = Self.room(hasPartner: false)
        room.members[0].present = true
        let snapshot = SessionSnapshot(registration: Self.registration(.matched), room: room)
        #expect(Self.word(snapshot.progress(to: .connected)) == "waiting")
    }

    @Test("says what is waited for, without control characters of others")
    func words() {
        var room = Self.room()
        room.members[1].name = "B\u{1B}ob"
        let snapshots = [
            SessionSnapshot(registration: Self.registration(.registered)),
            SessionSnapshot(registration: Self.registration(.matched), room: room),
        ]
        for snapshot in snapshots {
            guard case .waiting(let text) = snapshot.progress(to: .connected) else {
                Issue.record("\(snapshot)")
                continue
            }
            #expect(text.hasPrefix("waiting for a partner to enter the room: "))
            #expect(!text.contains("\u{1B}"))
        }
    }
}
