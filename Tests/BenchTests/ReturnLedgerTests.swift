import Client
import Contract
import Testing

@testable import bench

struct ReturnLedgerTests {
    private static let ale = RoomEvent.ale(
        ServerMessage.Ale(from: Identifier(value: 0), seq: 1, at: Timestamp(seconds: 0)))
    private static let interrupted = RoomEvent.interrupted(reason: "", wait: .zero)

    @Test(
        "in a room of three each hears the other two: missing ales are lost, surplus ones doubled",
        arguments: [
            ([2, 2, 2], 0, 0), ([2, 1, 2], 1, 0), ([0, 0, 0], 6, 0), ([3, 2, 2], 0, 1), ([1, 4, 2], 1, 2),
        ])
    func stock(heard: [Int], lost: Int, doubled: Int) {
        var ledger = ReturnLedger(clients: 3, roomSize: 3)
        for client in 0..<3 { ledger.cheered(client) }
        #expect(ledger.expectedCount == 6)
        for (client, count) in heard.enumerated() {
            for _ in 0..<count { ledger.note(Self.ale, of: client, at: 0) }
        }
        #expect(ledger.takeStock() == ReturnLedger.Stock(sent: 3, lost: lost, doubled: doubled))
        // The next round starts from zero.
        #expect(ledger.takeStock() == ReturnLedger.Stock())
    }

    @Test("an ale that arrives in another room is lost in its own, and doubled there")
    func misrouted() {
        var ledger = ReturnLedger(clients: 4, roomSize: 2)
        ledger.cheered(0)
        ledger.note(Self.ale, of: 2, at: 0)
        #expect(ledger.takeStock() == ReturnLedger.Stock(sent: 1, lost: 1, doubled: 1))
    }

    @Test("a client that is interrupted or closed is not in the room, and is counted once")
    func presence() {
        var ledger = ReturnLedger(clients: 2, roomSize: 2)
        for client in 0..<2 {
            ledger.note(.connected(Self.handshake, resumed: false), of: client, at: 10)
        }
        #expect(ledger.presentCount == 2)
        ledger.note(Self.interrupted, of: 0, at: 20)
        ledger.note(Self.interrupted, of: 0, at: 30)
        ledger.note(.closed(.roomClosed), of: 1, at: 30)
        #expect(ledger.presentCount == 0 && ledger.closedCount == 1)
        ledger.note(.connected(Self.handshake, resumed: true), of: 0, at: 50)
        #expect(ledger.presentCount == 1 && ledger.resumedCount == 1)
        let returns = ledger.returns(since: 40)
        #expect(returns.count == 1 && returns.largest == 10)
        // The client was in its room before the server was ready.
        #expect(ledger.returns(since: 60).largest == 0)
    }

    private static let handshake = ServerMessage.Handshake(
        room: Identifier(value: 0), you: Identifier(value: 0), epoch: "e", seq: 0, recovered: false,
        now: Timestamp(seconds: 0),
        startsAt: Timestamp(seconds: 0), closesAt: Timestamp(seconds: 60), pingSeconds: 20, members: [])
}
