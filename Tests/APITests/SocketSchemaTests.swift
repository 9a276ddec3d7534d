import Contract
import Testing

@testable import BackendTesting

@Suite("The schemas of the socket's messages")
struct SocketSchemaTests {
    private static let id = Identifier(value: 1)
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let member = Member(
        id: id, name: "n", task: nil, tag: "t", you: true, present: false,
        words: SessionWords(checkIn: "c", outcome: .partly, note: "n"), quiet: true, status: .gettingReady)

    /// Every message of the server in version 2, with and without what may be left out.
    private static let all: [ServerMessage] =
        [
            .handshake(
                .init(
                    room: id, you: id, epoch: "e", seq: 0, recovered: true, now: now, startsAt: now,
                    closesAt: now,
                    pingSeconds: 20, members: [member])),
            .aleResponse(.init(from: id, seq: 1, at: now)),
            .aleResponse(.init(from: id, seq: 9, at: now, merged: .init(first: 5, count: 3))),
            .aleResponse(.init(from: id, seq: 9, at: now, merged: .init(first: 5, count: 3, since: 4))),
            .ack(messageId: String(repeating: "🙂", count: 64), seq: 1), .presence(member: id, present: true),
            .checkIn(member: id, checkIn: nil), .checkIn(member: id, checkIn: "c"),
            .outcome(member: id, outcome: nil, note: nil), .outcome(member: id, outcome: .done, note: "n"),
            .status(member: id, status: nil), .status(member: id, status: .ready), .members([]),
            .announcement(text: "A\n🙂", at: now), .members([member]),
            .moved(id: id, socketUrl: "ws://h/socket?id=1"), .roomClosed,
        ]
        + SocketErrorCode.allCases.flatMap { code in
            [nil, "m"].map { .error(code: code.rawValue, detail: code.detail, messageId: $0) }
        }

    private func text(_ append: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        append(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("describe every message that the server writes, each as one of the choices")
    func server() throws {
        let check = try SchemaCheck()
        var types: Set<String> = []
        for message in Self.all {
            let text = text { message.append(to: &$0) }
            #expect(check.faults(of: text, as: "SocketServerMessage") == [], "\(text)")
            types.insert(try JSONValue.parse(Array(text.utf8))["type"]?.string ?? "")
        }
        let pong = String(decoding: ServerMessage.pong, as: UTF8.self)
        #expect(check.faults(of: pong, as: "SocketServerMessage") == [])
        for message in [ServerMessage.handshake(nil), .aleResponse(nil)] {
            let text = text { message.append(to: &$0) }
            #expect(check.faults(of: text, as: "SocketServerMessageV1") == [])
            #expect(check.faults(of: text, as: "SocketServerMessage") != [])
        }
        // No choice is there that is never written. One is `pong`.
        let choices = check.document["components"]?["schemas"]?["SocketServerMessage"]?["oneOf"]?.array
        #expect(choices?.count == 13 && types.count == 12)
    }

    @Test("describe what the server reads, and whatever they refuse it drops")
    func client() throws {
        let check = try SchemaCheck()
        let room = Self.id
        var texts = MemberStatus.allCases.map { status in text { ClientMessage.appendStatus(status, to: &$0) }
        }
        texts.append(text { ClientMessage.appendStatus(nil, to: &$0) })
        texts.append(#"{"type":"status","status":"ready","messageId":"m"}"#)
        texts += [#"{"type":"ping"}"#, #"{"type":"ping","messageId":"m"}"#]
        for id in [nil, room] {
            for messageId in [nil, "m", String(repeating: "é", count: 64)] {
                texts.append(text { ClientMessage.appendAle(room: id, messageId: messageId, to: &$0) })
            }
        }
        for text in texts {
            #expect(check.faults(of: text, as: "SocketClientMessage") == [], "\(text)")
        }
        let plain = text { ClientMessage.appendAle(room: room, messageId: nil, to: &$0) }
        #expect(check.faults(of: plain, as: "SocketClientMessageV1") == [])
        for text in [
            "{}", #"{"type":"ale","messageId":""}"#, #"{"type":"ale","id":7}"#, #"{"type":"status"}"#,
            #"{"type":"status","status":"busy"}"#, #"{"type":"dance"}"#, #"{"type":"ale","id":"x"}"#,
            #"{"type":"ale","messageId":"\#(String(repeating: "m", count: 65))"}"#,
        ] {
            #expect(check.faults(of: text, as: "SocketClientMessage") != [], "\(text)")
            switch ClientMessage.read(text.utf8.span.bytes, room: room) {
            case .malformed, .unknownType, .wrongRoom: continue
            case .ale, .status, .ping: Issue.record("\(text) is taken")
            }
        }
    }

    @Test("find a member that is not described, and one that is missing")
    func planted() throws {
        let check = try SchemaCheck()
        for text in [
            #"{"type":"roomClosed","why":"x"}"#, #"{"type":"presence","member":"\#(Self.id)"}"#,
            #"{"type":"status","member":"\#(Self.id)","status":"asleep"}"#,
            #"{"type":"ack","messageId":"m","seq":1,"count":1}"#, #"{"type":"dance"}"#, #"{"seq":1}"#,
            #"{"type":"aleResponse","from":"\#(Self.id)","seq":1,"at":"2027-03-01T09:00:00Z","count":2}"#,
        ] {
            #expect(check.faults(of: text, as: "SocketServerMessage") != [], "\(text)")
        }
    }
}
