import Client
import Contract
import Testing

@testable import bench

struct DeployLedgerTests {
    private static func entry(_ epoch: String, seq: Int64 = 0, resumed: Bool = false) -> RoomEvent {
        .connected(
            ServerMessage.Handshake(
                room: Identifier(value: 0), you: Identifier(value: 0), epoch: epoch, seq: seq,
                recovered: resumed, now: Timestamp(seconds: 0), startsAt: Timestamp(seconds: 0),
                closesAt: Timestamp(seconds: 60), pingSeconds: 20, members: []), resumed: resumed)
    }

    private static func ale(_ seq: Int64) -> RoomEvent {
        .ale(ServerMessage.Ale(from: Identifier(value: 0), seq: seq, at: Timestamp(seconds: 0)))
    }

    /// Returns the ledger of two members in a room. The first has sent two ales.
    private static func ledger() -> DeployLedger {
        var ledger = DeployLedger(members: 2)
        for member in 0..<2 { ledger.note(entry("e"), of: member, at: 0) }
        for number in 1...2 { ledger.send("\(number)", from: 0, at: UInt64(number) * 10) }
        return ledger
    }

    @Test("what was acknowledged and heard once is in order, and has a time")
    func inOrder() {
        var ledger = Self.ledger()
        ledger.note(.acknowledged(messageId: "1", seq: 1), of: 0, at: 12)
        #expect(!ledger.isSettled && ledger.waitingCount == 1)
        ledger.note(.acknowledged(messageId: "2", seq: 2), of: 0, at: 22)
        for seq in 1...2 { ledger.note(Self.ale(Int64(seq)), of: 1, at: UInt64(seq) * 15) }
        #expect(ledger.isSettled)
        #expect(ledger.stock() == DeployLedger.Stock(acknowledged: 2))
        #expect(ledger.times(of: 0..<15).largest == 5)
        #expect(ledger.times(of: 15..<30).largest == 10)
    }

    @Test("an acknowledged ale that the other never hears is lost")
    func lost() {
        var ledger = Self.ledger()
        for number in 1...2 {
            ledger.note(.acknowledged(messageId: "\(number)", seq: Int64(number)), of: 0, at: 0)
        }
        ledger.note(Self.ale(2), of: 1, at: 0)
        #expect(!ledger.isSettled)
        #expect(ledger.stock() == DeployLedger.Stock(acknowledged: 2, lost: 1))
    }

    @Test("an ale that is heard under two numbers is doubled")
    func doubled() {
        var ledger = Self.ledger()
        ledger.note(.interrupted(reason: "", wait: .zero), of: 0, at: 0)
        #expect(ledger.presentCount == 1)
        ledger.note(Self.entry("e", seq: 2, resumed: true), of: 0, at: 0)
        for number in 1...2 {
            ledger.note(.acknowledged(messageId: "\(number)", seq: Int64(number)), of: 0, at: 0)
        }
        for seq in 1...3 { ledger.note(Self.ale(Int64(seq)), of: 1, at: 0) }
        #expect(ledger.stock() == DeployLedger.Stock(acknowledged: 2, doubled: 1))
        #expect(ledger.resumed == 1 && ledger.begunAnew == 0)
    }

    @Test("an ale that was on its way as the room started again is neither lost nor doubled")
    func anew() {
        var ledger = Self.ledger()
        ledger.note(.acknowledged(messageId: "1", seq: 1), of: 0, at: 0)
        // The second takes effect in both runs of the room, and the first is acknowledged and never heard.
        ledger.note(Self.entry("f"), of: 0, at: 0)
        ledger.note(.acknowledged(messageId: "2", seq: 1), of: 0, at: 0)
        ledger.note(Self.entry("f"), of: 1, at: 0)
        ledger.note(Self.ale(1), of: 1, at: 0)
        #expect(ledger.begunAnew == 2)
        #expect(ledger.stock() == DeployLedger.Stock(acknowledged: 2, doubtful: 1))
    }
}
