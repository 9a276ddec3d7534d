import Testing
import WebSocket

struct FrameEncoderTests {
    @Test(
        "a length is written in its shortest form",
        arguments: [
            (0, [0x82, 0]), (125, [0x82, 125]), (126, [0x82, 126, 0, 126]), (65_535, [0x82, 126, 255, 255]),
            (65_536, [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])])
    func header(length: Int, expected: [UInt8]) {
        var bytes: [UInt8] = []
        FrameEncoder.header(.binary, payloadLength: length, into: &bytes)
        #expect(bytes == expected)
    }

    @Test("a close frame without a code is empty")
    func emptyClose() {
        var bytes: [UInt8] = []
        FrameEncoder.close(nil, reason: "unsaid", into: &bytes)
        #expect(bytes == [0x88, 0])
    }

    @Test("a long reason is cut between two characters", arguments: 118...130)
    func longReason(count: Int) {
        let reason = String(repeating: "a", count: count) + "🍺"
        var bytes: [UInt8] = []
        FrameEncoder.close(.goingAway, reason: reason, into: &bytes)
        let expected = count <= 119 ? reason : String(repeating: "a", count: min(count, 123))
        #expect(Conversation.decode([bytes], role: .client).messages == [.close(.goingAway, expected)])
    }

    @Test("a client's close frame is masked")
    func maskedClose() {
        var bytes: [UInt8] = []
        FrameEncoder.maskedClose(.normal, reason: "bye", key: 0xA1B2_C3D4, into: &bytes)
        #expect(Conversation.decode([bytes]).messages == [.close(.normal, "bye")])
    }
}
