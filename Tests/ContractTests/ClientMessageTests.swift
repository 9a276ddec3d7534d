import Codecs
import Testing

@testable import Contract

struct ClientMessageTests {
    private static let room = Identifier(value: 0x2ed6_657d_e927_568b_95e1_2665_a8ae_a6a2)
    private static let upper = "2ED6657D-E927-568B-95E1-2665A8AEA6A2"
    private static let other = "00000000-0000-0000-0000-000000000001"

    @Test(
        "an ale is understood in any spelling",
        arguments: [
            (#"{"type":"ale"}"#, nil, false), (#"{"type":"ale","id":"\#(upper)"}"#, nil, true),
            (#"{"type":"ale","id":"\#(room)"}"#, nil, true), (#"{"id":"\#(upper)","type":"ale"}"#, nil, true),
            (#"{"type":"ale","messageId":"m-1"}"#, "m-1", false),
            (#"{"type":"ale","id":"\#(room)","messageId":"m"}"#, "m", true),
            (#"{"type":"ale","messageId":"m","id":"\#(room)"}"#, "m", true),
            (#"{"type":"ale","messageId":"é\n"}"#, "é\n", false),
            (#" { "type" : "ale" , "id" : "\#(room)" } "#, nil, true),
            (#"{"type":"al\u0065","more":[1]}"#, nil, false),
        ] as [(String, String?, Bool)])
    func ales(text: String, messageId: String?, namesRoom: Bool) {
        #expect(read(text) == .ale(messageId: messageId, namesRoom: namesRoom))
    }

    @Test(
        "the usual spellings are recognised without parsing",
        arguments: [
            #"{"type":"ale"}"#, #"{"type":"ale","id":"\#(upper)"}"#, #"{"id":"\#(upper)","type":"ale"}"#,
            #"{"type":"ale","messageId":"m"}"#, #"{"type":"ale","id":"\#(room)","messageId":"m"}"#,
        ])
    func fast(text: String) {
        #expect(AleFrame(text.utf8.span.bytes) != nil)
    }

    @Test(
        "an ale for something else is not for this room",
        arguments: [
            #"{"type":"ale","id":"\#(other)"}"#, #"{"id":"\#(other)","type":"ale"}"#,
            #"{"type":"ale","id":"x"}"#,
        ])
    func wrongRoom(text: String) {
        #expect(read(text) == .wrongRoom(messageId: nil))
    }

    @Test("a status is one of the words, or null, and survives being written")
    func statuses() {
        for status in MemberStatus.allCases + [nil] {
            var bytes: [UInt8] = []
            ClientMessage.appendStatus(status, to: &bytes)
            #expect(read(String(decoding: bytes, as: UTF8.self)) == .status(status, messageId: nil))
        }
        #expect(MemberStatus.allCases.map(\.rawValue) == ["getting-ready", "ready"])
        #expect(
            read(#"{"messageId":"m","more":1,"status":"ready","type":"status"}"#)
                == .status(.ready, messageId: "m"))
    }

    @Test("a ping is a message of its own")
    func ping() {
        #expect(read(#"{"type":"ping"}"#) == .ping(messageId: nil))
        #expect(read(#"{"messageId":"m","type":"ping","more":1}"#) == .ping(messageId: "m"))
        #expect(read(#"{"type":"ping","messageId":""}"#) == .malformed)
        #expect(read(#"{"type":"Ping"}"#) == .unknownType(messageId: nil))
    }

    @Test("the refusal of an unknown type names every type that is read")
    func namedTypes() {
        for type in ["ale", "status", "ping"] {
            let message = read("{\"type\":\"\(type)\",\"status\":null}")
            #expect(message != .unknownType(messageId: nil) && message != .malformed)
            #expect(SocketErrorCode.unknownType.detail.contains(type))
        }
    }

    @Test("types are open")
    func unknown() {
        #expect(read(#"{"type":"cheers","messageId":"m"}"#) == .unknownType(messageId: "m"))
        #expect(read(#"{"type":"Ale"}"#) == .unknownType(messageId: nil))
    }

    @Test(
        "what is not a message is malformed",
        arguments: [
            "", "ale", "[]", "{}", #"{"type":1}"#, #"{"type":"ale"}x"#, #"{"type":"ale",}"#,
            #"{"type":"ale""#,
            #"{"type":"ale","id":7}"#, #"{"type":"ale","id":null}"#, #"{"type":"ale","messageId":""}"#,
            #"{"type":"ale","messageId":7}"#, #"{"type":"ale","type":"ale"}"#,
            #"{"type":"status"}"#, #"{"type":"status","status":"Ready"}"#, #"{"type":"status","status":1}"#,
            #"{"type":"status","status":""}"#, #"{"type":"status","status":["ready"]}"#,
            #"{"type":"status","status":"ready","messageId":""}"#,
            #"{"type":"ale","messageId":"\#(String(repeating: "m", count: 65))"}"#,
        ])
    func malformed(text: String) {
        #expect(read(text) == .malformed)
    }

    @Test("a messageId has up to 64 characters", arguments: [1, 15, 16, 63, 64])
    func lengths(count: Int) {
        for character in ["m", "é"] {
            let messageId = String(repeating: character, count: count)
            var bytes: [UInt8] = []
            ClientMessage.appendAle(room: Self.room, messageId: messageId, to: &bytes)
            #expect(
                ClientMessage.read(bytes.span.bytes, room: Self.room)
                    == .ale(messageId: messageId, namesRoom: true))
        }
    }

    @Test("a frame with one byte changed or cut off is never taken for the room's ale by mistake")
    func mutations() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SplitMix64(seed: seed)
        let frames = [
            #"{"type":"ale","id":"\#(Self.room)","messageId":"m"}"#, #"{"id":"\#(Self.room)","type":"ale"}"#,
            #"{"type":"ale"}"#,
        ].map { Array($0.utf8) }
        for _ in 0..<5000 {
            var bytes = frames.randomElement(using: &generator) ?? []
            bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
                in: .min ... .max, using: &generator)
            if Bool.random(using: &generator) {
                bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
            }
            guard AleFrame(bytes.span.bytes) != nil else {
                _ = ClientMessage.read(bytes.span.bytes, room: Self.room)
                continue
            }
            let type = (try? JSONValue.parse(bytes))?["type"]
            #expect(type == .string("ale"), "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        }
    }

    private func read(_ text: String) -> ClientMessage {
        ClientMessage.read(text.utf8.span.bytes, room: Self.room)
    }
}
