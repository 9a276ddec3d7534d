import Codecs
import Testing
import WebSocket

/// Tests of frames that are accepted: RFC 6455 §5.
struct MessageDecoderTests {
    @Test("§5.7: the examples of the RFC")
    func examples() {
        let hello = Conversation.Message.text(Array("Hello".utf8))
        let plain: [UInt8] = [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f]
        #expect(Conversation.decode([plain], role: .client).messages == [hello])
        let maskedHello: [UInt8] = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]
        #expect(Conversation.decode([maskedHello]).messages == [hello])
        var encoded: [UInt8] = []
        FrameEncoder.maskedFrame(.text, Array("Hello".utf8), key: 0x37fa_213d, into: &encoded)
        #expect(encoded == maskedHello)
        let fragments: [UInt8] = [0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f]
        #expect(Conversation.decode([fragments], role: .client).messages == [hello])
        let pong: [UInt8] = [0x8a, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]
        #expect(Conversation.decode([pong]).messages == [.pong(Array("Hello".utf8))])
    }

    @Test(
        "payloads around the borders of the length forms go both ways",
        arguments: [0, 1, 7, 8, 9, 124, 125, 126, 127, 65_534, 65_535, 65_536, 65_537])
    func lengths(count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let frame = masked(.binary, payload)
        #expect(Conversation.decode([frame]).messages == [.binary(payload)])
        let half = frame.count / 2
        #expect(
            Conversation.decode([Array(frame[..<half]), Array(frame[half...])]).messages == [.binary(payload)]
        )
        var server: [UInt8] = []
        FrameEncoder.frame(.binary, payload, into: &server)
        #expect(Conversation.decode([server], role: .client).messages == [.binary(payload)])
    }

    @Test("every split of a conversation gives the same messages")
    func splits() {
        let bytes =
            masked(.text, "héllo") + masked(.text, "a→", isFinal: false) + masked(.ping, "p")
            + masked(.continuation, "", isFinal: false) + masked(.continuation, "🍺b") + masked(.pong, "")
            + masked(.binary, Array(repeating: 0xFF, count: 130))
            + masked(.close, [0x03, 0xE8] + Array("bye".utf8))
            + masked(.text, "after")
        let whole = Conversation.decode([bytes])
        #expect(
            whole.messages == [
                .text(Array("héllo".utf8)), .ping([0x70]), .text(Array("a→🍺b".utf8)), .pong([]),
                .binary(Array(repeating: 0xFF, count: 130)), .close(.normal, "bye"),
            ])
        for cut in 0...bytes.count {
            let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
            #expect(Conversation.decode(pieces) == whole, "cut at \(cut)")
        }
        #expect(Conversation.decode(bytes.map { [$0] }) == whole)
    }

    @Test("a whole frame is unmasked where it lies")
    func inPlace() throws {
        var bytes = masked(.text, "one") + masked(.binary, "two")
        var decoder = MessageDecoder(role: .server, maximumMessageBytes: 10)
        var offset = 0
        var elements = bytes.mutableSpan
        var span = elements.mutableBytes
        let first = try decoder.next(&span, from: &offset)
        let second = try decoder.next(&span, from: &offset)
        let third = try decoder.next(&span, from: &offset)
        let end = span.byteCount
        #expect(first == .text(.inPlace(6..<9)))
        #expect(second == .binary(.inPlace(15..<18)))
        #expect(third == nil)
        #expect(offset == end)
        #expect(!decoder.isInsideMessage)
    }

    @Test("an idle decoder is small")
    func size() {
        #expect(MemoryLayout<MessageDecoder>.size <= 48)
    }

    @Test("random messages come through random cuts, fragments and keys", arguments: 0..<8)
    func property(run: Int) {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SplitMix64(seed: seed)
        for role in [Role.server, .client] {
            var bytes: [UInt8] = []
            var expected: [Conversation.Message] = []
            for _ in 0..<20 { Self.appendMessage(role, &bytes, &expected, &generator) }
            var pieces: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(.random(in: 1...200, using: &generator))
                pieces.append(Array(piece))
                rest = rest[piece.endIndex...]
            }
            let decoded = Conversation.decode(pieces, role: role)
            #expect(decoded == Conversation(messages: expected), "seed \(seed)")
        }
    }

    private static func appendMessage(
        _ role: Role, _ bytes: inout [UInt8], _ expected: inout [Conversation.Message],
        _ generator: inout SplitMix64
    ) {
        let isText = Bool.random(using: &generator)
        var payload: [UInt8] = []
        for _ in 0..<Int.random(in: 0...60, using: &generator) {
            payload +=
                isText
                ? Array((["a", "é", "→", "🍺"].randomElement(using: &generator) ?? "").utf8)
                : [UInt8(generator.next() & 255)]
        }
        var rest = payload[...]
        var opcode = isText ? Opcode.text : .binary
        var isFinal = false
        while !isFinal {
            isFinal = Bool.random(using: &generator)
            let part = isFinal ? rest : rest.prefix(.random(in: 0...20, using: &generator))
            rest = rest[part.endIndex...]
            appendFrame(role, opcode, Array(part), isFinal, &bytes, &generator)
            opcode = .continuation
            if !isFinal && Bool.random(using: &generator) {
                appendFrame(role, .ping, [1, 2], true, &bytes, &generator)
                expected.append(.ping([1, 2]))
            }
        }
        expected.append(isText ? .text(payload) : .binary(payload))
    }

    private static func appendFrame(
        _ role: Role, _ opcode: Opcode, _ payload: [UInt8], _ isFinal: Bool, _ bytes: inout [UInt8],
        _ generator: inout SplitMix64
    ) {
        switch role {
        case .server:
            let key = UInt32(truncatingIfNeeded: generator.next())
            FrameEncoder.maskedFrame(opcode, payload, key: key, isFinal: isFinal, into: &bytes)
        case .client:
            FrameEncoder.frame(opcode, payload, isFinal: isFinal, into: &bytes)
        }
    }
}
