import Contract
import Testing

@testable import bench

/// Tests of the generator's hand-written reader against the messages that the contract writes.
struct AleTextTests {
    @Test("an ale of version 1 is told from everything else")
    func version1() {
        let ale = ServerMessage.version1Ale
        #expect(ale.withUnsafeBytes(AleText.isVersion1))
        #expect(!ale.dropLast().withUnsafeBytes(AleText.isVersion1))
        #expect(!ServerMessage.version1Handshake.withUnsafeBytes(AleText.isVersion1))
        #expect(ServerMessage.version1Handshake.withUnsafeBytes(AleText.isGreeting))
    }

    @Test("an ale of version 2 gives its sender and its number", arguments: [1, 9, 10, Int64.max])
    func version2(number: Int64) {
        var random = SystemRandomNumberGenerator()
        let sender = Identifier.v4(using: &random)
        var bytes: [UInt8] = []
        ServerMessage.appendAle(from: sender, seq: number, at: Timestamp(seconds: 0), to: &bytes)
        bytes.withUnsafeBytes { text in
            let ale = AleText.readVersion2(text)
            let from = ale.map {
                String(decoding: UnsafeRawBufferPointer(start: $0.from, count: 36), as: UTF8.self)
            }
            #expect(ale?.number == number && from == sender.description)
        }
        for length in 0..<74 {
            #expect(bytes.prefix(length).withUnsafeBytes { AleText.readVersion2($0) == nil })
        }
    }
}
