import Client
import ClientTesting
import Contract
import Testing

@testable import letsswitch

@Suite("A join")
struct JoinModelTests {
    private func joined() throws -> JoinModel {
        var model = JoinModel()
        model.found(Sample.openRoom(at: Sample.start))
        guard case .handshake(let handshake?) = Sample.handshake() else { throw ClientError.cancelled }
        _ = model.apply(.connected(handshake, resumed: false), at: Sample.start)
        return model
    }

    @Test("knows who is there, and counts ales")
    func counts() throws {
        var model = try joined()
        #expect(model.partners.map(\.name) == ["Bob"])
        let ale = ServerMessage.Ale(from: Sample.partner, seq: 1, at: Sample.start)
        #expect(model.apply(.ale(ale), at: Sample.start)?.text == "ale from Bob")
        model.cheered()
        #expect(model.unacknowledged == 1)
        _ = model.apply(.acknowledged(messageId: "m", seq: 2), at: Sample.start)
        #expect((model.received, model.sent, model.unacknowledged) == (1, 1, 0))
    }

    @Test("is drawn within the terminal, however small", arguments: [(80, 24), (40, 10), (20, 5), (1, 1)])
    func screen(columns: Int, rows: Int) throws {
        var model = try joined()
        for seq in 0..<200 {
            let ale = ServerMessage.Ale(from: Sample.partner, seq: Int64(seq), at: Sample.start)
            _ = model.apply(.ale(ale), at: Sample.start)
        }
        let screen = JoinScreen(
            model: model, now: Sample.start.adding(.seconds(60)), columns: columns, rows: rows)
        let lines = screen.lines().map(\.text)
        #expect(lines.count <= rows)
        #expect(lines.allSatisfy { TextWidth.of($0) <= columns })
        if columns >= 40 { #expect(lines.contains("Ends in 29:00")) }
    }

    @Test("takes space and Enter for an ale, q to leave, and nothing else")
    func keys() {
        var reader = InputReader()
        #expect(reader.keys(Array(" x\rq".utf8)) == [.cheer, .cheer, .leave])
        #expect(reader.keys([0x1B, 0x5B, 0x41]) == [])
        #expect(reader.keys([0x1B]) == [])
        #expect(reader.keys([0x20]) == [.cheer])
    }

    @Test("what is pasted is nothing, wherever it is cut")
    func paste() {
        let bytes = Array(" \u{1B}[200~ q \r\n\u{1B}[20 \u{1B}\u{1B}[201~\u{1B}[A\u{1B}OP\rq".utf8)
        for cut in 0...bytes.count {
            var reader = InputReader()
            let actions = reader.keys(Array(bytes[..<cut])) + reader.keys(Array(bytes[cut...]))
            #expect(actions == [.cheer, .cheer, .leave], "cut at \(cut)")
        }
    }

    @Test("each line of a pipe is an ale, also a last one that nothing ends")
    func lines() {
        var reader = InputReader()
        #expect(reader.lines(Array("a\n\nb".utf8)) == [.cheer, .cheer])
        #expect(reader.lines(Array("c".utf8)) == [])
        #expect(reader.end() == [.cheer])
        #expect(reader.end() == [])
        #expect(reader.lines(Array("d\n".utf8)) == [.cheer])
        #expect(reader.end() == [])
    }
}
