import Codecs
import Testing
import WebSocket

/// Tests of frames that are refused, and of their close codes: RFC 6455 §5.
struct InvalidFrameTests {
    private func code(_ bytes: [UInt8], limit: Int = 1 << 20) -> CloseCode? {
        let whole = Conversation.decode([bytes], limit: limit)
        let dripped = Conversation.decode(bytes.map { [$0] }, limit: limit)
        #expect(whole.error?.closeCode == dripped.error?.closeCode)
        return whole.error?.closeCode
    }

    @Test("a reserved bit is refused at the first byte", arguments: [0xC1, 0xA1, 0x91, 0xF1] as [UInt8])
    func reservedBits(first: UInt8) {
        #expect(code([first]) == .protocolError)
    }

    @Test("a reserved opcode is refused", arguments: [3, 4, 5, 6, 7, 0xB, 0xC, 0xD, 0xE, 0xF] as [UInt8])
    func reservedOpcodes(opcode: UInt8) {
        #expect(code([0x80 | opcode]) == .protocolError)
    }

    @Test("a frame must be masked by the client, and not by the server")
    func masking() {
        #expect(code([0x81, 0x01, 0x41]) == .protocolError)
        let toClient = Conversation.decode([masked(.text, "a")], role: .client)
        #expect(toClient.error?.closeCode == .protocolError)
    }

    @Test("a control frame over 125 bytes is refused", arguments: [126, 127] as [UInt8])
    func longControl(length: UInt8) {
        #expect(code([0x89, 0x80 | length]) == .protocolError)
        #expect(Conversation.decode([masked(.ping, [UInt8](repeating: 0, count: 125))]).messages.count == 1)
    }

    @Test("a fragmented control frame is refused", arguments: [0x08, 0x09, 0x0A] as [UInt8])
    func fragmentedControl(first: UInt8) {
        #expect(code(rawFrame(first, [])) == .protocolError)
    }

    @Test("a length must be in its shortest form, without its highest bit")
    func lengths() {
        #expect(code([0x82, 0xFE, 0, 125]) == .protocolError)
        #expect(code([0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) == .protocolError)
        #expect(code([0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0]) == .protocolError)
    }

    @Test("continuations need a message, and a message needs to end before the next")
    func continuations() {
        #expect(code(masked(.continuation, "a")) == .protocolError)
        #expect(code(masked(.continuation, "a", isFinal: false)) == .protocolError)
        // The result is the same if the frame is also too long, however it is cut.
        #expect(code(masked(.continuation, [UInt8](repeating: 0x41, count: 11)), limit: 10) == .protocolError)
        #expect(code(masked(.text, "a", isFinal: false) + masked(.text, "b")) == .protocolError)
        #expect(code(masked(.text, "a", isFinal: false) + masked(.binary, "b")) == .protocolError)
        let ended = masked(.text, "a", isFinal: false) + masked(.continuation, "b")
        #expect(code(ended + masked(.continuation, "c")) == .protocolError)
    }

    @Test("a message over the limit is refused when it is announced", arguments: [(10, true), (11, false)])
    func limit(count: Int, fits: Bool) {
        let expected: CloseCode? = fits ? nil : .messageTooBig
        #expect(code(masked(.binary, [UInt8](repeating: 0, count: count)), limit: 10) == expected)
        #expect(
            code(Array(masked(.binary, [UInt8](repeating: 0, count: count)).prefix(6)), limit: 10) == expected
        )
        let start = masked(.binary, [1, 2, 3, 4], isFinal: false)
        #expect(
            code(start + masked(.continuation, [UInt8](repeating: 0, count: count - 4)), limit: 10)
                == expected)
        #expect(
            code([0x82, 0xFF, 0x7F, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0], limit: 10)
                == .messageTooBig)
    }

    @Test(
        "text that is not UTF-8 is refused, whole and in pieces",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xED, 0xA0, 0x80],
            [0xED, 0xBF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xFE],
            [0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x8D], [0xC3, 0x41], [0xE2, 0x41, 0x80],
        ] as [[UInt8]])
    func badText(text: [UInt8]) {
        for prefix in ["", "a", "12345678", "123456789é"] {
            let payload = Array(prefix.utf8) + text
            #expect(code(masked(.text, payload)) == .invalidText)
            for cut in 0...payload.count {
                let first = masked(.text, Array(payload[..<cut]), isFinal: false)
                #expect(code(first + masked(.continuation, Array(payload[cut...]))) == .invalidText)
            }
        }
        #expect(code(masked(.binary, text)) == nil)
    }

    @Test("text at the borders of UTF-8 is taken")
    func goodText() {
        let text = "\u{0}\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}"
        for cut in 0...text.utf8.count {
            let bytes = Array(text.utf8)
            let frames =
                masked(.text, Array(bytes[..<cut]), isFinal: false)
                + masked(.continuation, Array(bytes[cut...]))
            #expect(Conversation.decode([frames]).messages == [.text(bytes)])
        }
        #expect(Conversation.decode([masked(.text, text)]).messages == [.text(Array(text.utf8))])
    }

    @Test("bad text is refused at its first wrong byte, in the middle of a frame")
    func failsFast() {
        let frame = masked(.text, [0x41, 0xC3, 0x28] + [UInt8](repeating: 0x41, count: 50))
        #expect(code(Array(frame.prefix(9))) == .invalidText)
        #expect(code(Array(frame.prefix(8))) == nil)
    }

    @Test(
        "close frames: the codes that may be sent",
        arguments: [
            (0, false), (999, false), (1000, true), (1003, true), (1004, false), (1005, false), (1006, false),
            (1007, true), (1014, true), (1015, false), (1016, false), (2999, false), (3000, true),
            (4999, true),
            (5000, false), (65_535, false),
        ] as [(UInt16, Bool)])
    func closeCodes(code: UInt16, isGood: Bool) {
        let conversation = Conversation.decode([masked(.close, [UInt8(code >> 8), UInt8(code & 255)])])
        if isGood {
            #expect(conversation == Conversation(messages: [.close(CloseCode(rawValue: code), "")]))
        } else {
            #expect(conversation.error?.closeCode == .protocolError)
        }
    }

    @Test("close frames: empty is fine, one byte is not, the reason is UTF-8")
    func closePayloads() {
        #expect(Conversation.decode([masked(.close, "")]).messages == [.close(nil, "")])
        #expect(code(masked(.close, [3])) == .protocolError)
        #expect(code(masked(.close, [3, 0xE8, 0xFF])) == .invalidText)
    }

    @Test("garbage is decoded or refused, and means the same however it is cut", arguments: 0..<8)
    func garbage(run: Int) {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SplitMix64(seed: seed)
        for _ in 0..<300 {
            var bytes =
                masked(.text, "héllo", isFinal: false) + masked(.ping, "p") + masked(.continuation, "x")
            bytes += masked(.close, [3, 0xE8])
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = .random(in: .min ... .max, using: &generator)
            }
            let cut = Int.random(in: 0...bytes.count, using: &generator)
            let whole = Conversation.decode([bytes], limit: 64)
            let pieces = Conversation.decode([Array(bytes[..<cut]), Array(bytes[cut...])], limit: 64)
            #expect(whole.messages == pieces.messages, "seed \(seed)")
            #expect(whole.error?.closeCode == pieces.error?.closeCode, "seed \(seed)")
            _ = Conversation.decode([bytes], role: .client, limit: 64)
        }
    }
}
