import Client
import Contract
import Testing

@Suite("The check of a siege by cuts")
struct CutCheckTests {
    private static let room = Identifier(value: 1)

    /// A room of two on a timeline of whole seconds.
    private struct Room {
        let start = ContinuousClock.now
        var ledgers = [CutLedger(room: room), CutLedger(room: room)]
        var isolated = false

        func at(_ second: Int) -> ContinuousClock.Instant { start + .seconds(second) }

        mutating func enter(
            _ member: Int, _ epoch: String, seq: Int64 = 0, resumed: Bool = false, recovered: Bool? = nil,
            at second: Int = 0
        ) {
            let handshake = ServerMessage.Handshake(
                room: CutCheckTests.room, you: Identifier(value: UInt128(member) + 10), epoch: epoch,
                seq: seq, recovered: recovered ?? resumed, now: Timestamp(seconds: 0),
                startsAt: Timestamp(seconds: 0), closesAt: Timestamp(seconds: 60), pingSeconds: 20,
                members: [])
            ledgers[member].take(.connected(handshake, resumed: resumed), at: at(second))
        }

        mutating func cheer(_ member: Int, _ id: String, at second: Int = 1) {
            ledgers[member].cheered(id, at: at(second))
        }

        mutating func acknowledge(_ member: Int, _ id: String, _ seq: Int64, at second: Int = 1) {
            ledgers[member].take(.acknowledged(messageId: id, seq: seq), at: at(second))
        }

        mutating func hear(_ member: Int, _ seq: Int64, at second: Int = 1) {
            let from = Identifier(value: UInt128(1 - member) + 10)
            ledgers[member].take(
                .ale(ServerMessage.Ale(from: from, seq: seq, at: Timestamp(seconds: 0))), at: at(second))
        }

        func violations(isSettled: Bool = true) -> [String] {
            CutCheck(members: ledgers.enumerated().map { ("\($0)", $1) }) { [isolated] _, _ in isolated }
                .violations(isSettled: isSettled)
        }
    }

    /// Returns a room in which the first member has cheered once, and the second has heard it.
    private static func inOrder() -> Room {
        var room = Room()
        for member in 0..<2 { room.enter(member, "e") }
        room.cheer(0, "one")
        room.acknowledge(0, "one", 1)
        room.hear(1, 1)
        return room
    }

    @Test("finds nothing where each ale was heard once")
    func good() {
        var room = Self.inOrder()
        #expect(room.violations() == [])
        room.enter(1, "e", seq: 1, resumed: true)
        #expect(room.violations() == [])
    }

    @Test("finds an acknowledged ale that was not heard, once all members must have heard everything")
    func lost() {
        var room = Self.inOrder()
        room.cheer(0, "two")
        room.acknowledge(0, "two", 2)
        #expect(room.violations(isSettled: false) == [])
        #expect(room.violations().contains { $0.contains("never heard e/2") })
        // A later ale came, and so should this one have.
        room.cheer(0, "three")
        room.acknowledge(0, "three", 3)
        room.hear(1, 3)
        #expect(room.violations(isSettled: false).contains { $0.contains("never heard e/2") })
    }

    @Test("finds an ale that took effect under two numbers, unless the room started again in between")
    func doubled() {
        var room = Self.inOrder()
        room.hear(1, 2)
        #expect(room.violations().contains { $0.contains("took effect twice") })
        room = Self.inOrder()
        room.cheer(0, "two")
        room.hear(1, 2)
        for member in 0..<2 { room.enter(member, "f", at: 2) }
        room.acknowledge(0, "two", 1, at: 3)
        room.hear(1, 1, at: 3)
        #expect(room.violations() == [])
    }

    @Test("finds a number that two ales have")
    func sameNumber() {
        var room = Self.inOrder()
        room.cheer(0, "two")
        room.acknowledge(0, "two", 1)
        #expect(room.violations().contains { $0.contains("was acknowledged for") })
    }

    @Test("finds a recovery that is none")
    func recovered() {
        var room = Self.inOrder()
        room.enter(1, "f", recovered: true, at: 2)
        #expect(room.violations().contains { $0.contains("recovered in f") })
        room = Self.inOrder()
        room.enter(1, "e", seq: 0, resumed: true, at: 2)
        #expect(room.violations().contains { $0.contains("recovered at 0") })
    }

    @Test("finds an earlier run of the room that goes on, unless its server is cut off from all others")
    func late() {
        var room = Self.inOrder()
        room.enter(1, "f", at: 2)
        room.cheer(1, "two", at: 3)
        room.acknowledge(1, "two", 1, at: 4)
        room.cheer(0, "three", at: 5)
        room.acknowledge(0, "three", 2, at: 6)
        #expect(room.violations().contains { $0.contains("had begun after it") })
        room.isolated = true
        #expect(room.violations() == [])
    }
}
