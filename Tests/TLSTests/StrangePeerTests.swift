import Client
import Codecs
import Contract
import TLS
import TLSTesting
import Testing

@Suite("A peer that does not do as it should")
struct StrangePeerTests {
    private let authority = TestAuthority()
    private let file: TemporaryFile

    init() { file = TemporaryFile(authority.pem) }

    private var trust: TLSConfiguration { TLSConfiguration(authorities: .file(file.path)) }

    private func failure(hearing bytes: [UInt8]) throws -> TLSError? {
        let client = try Side(clientTrusting: trust)
        client.receive(bytes)
        #expect(client.heard.isEmpty)
        return client.failure
    }

    @Test(
        "is told from TLS by its first byte",
        arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "2", "\0", "SSH-2.0"])
    func otherProtocol(text: String) throws {
        let failure = try #require(try self.failure(hearing: Array(text.utf8)))
        #expect(failure == .notTLS)
        #expect(failure.text.description.contains("http://"))
    }

    @Test(
        "has another version, or refuses ours",
        arguments: [
            // An alert: protocol_version.
            [0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x46] as [UInt8],
            // A ServerHello of TLS 1.1.
            [0x16, 0x03, 0x02, 0x00, 0x2A, 0x02, 0x00, 0x00, 0x26, 0x03, 0x02]
                + [UInt8](repeating: 7, count: 32) + [0x00, 0xC0, 0x13, 0x00],
        ])
    func version(bytes: [UInt8]) throws {
        #expect(try self.failure(hearing: bytes) == .protocolVersion)
    }

    @Test("refuses in general, and its reason is told")
    func refusal() throws {
        // An alert: handshake_failure.
        let failure = try self.failure(hearing: [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28])
        guard case .handshake(let reason) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.contains("handshake failure"))
    }

    @Test("ends in the middle of the handshake")
    func earlyEnd() throws {
        let client = try Side(clientTrusting: trust)
        client.receiveEnd()
        #expect(client.failure == .endedEarly)
    }

    @Test("changes one bit of what was sent, wherever, and nothing of it is believed")
    func flippedBit() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let pair = try Pair(authority.issue(key: TestKey()), trusting: trust)
            pair.talk()
            pair.server.write("the one and only answer")
            var record = pair.server.takeOutput()
            let place = Int.random(in: 0..<record.count, using: &generator)
            record[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            pair.client.receive(record)
            #expect(pair.client.heard.isEmpty, "seed \(seed)")
            // A length that grew waits for more; every other change is detected at once.
            let isInLength = place == 3 || place == 4
            let failure = pair.client.failure
            #expect(failure != nil || isInLength, "seed \(seed)")
        }
    }

    @Test("says rubbish in the form of records, and the client neither believes it nor breaks")
    func rubbish() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix64(seed: seed)
        let context = try TLSContext(trust)
        for _ in 0..<300 {
            let client = Side(try TLSSession(connectingTo: "localhost", context))
            for _ in 0..<4 {
                let length = Int.random(in: 0...300, using: &generator)
                var bytes: [UInt8] = [
                    UInt8.random(in: 0x14...0x18, using: &generator), 3, 3, UInt8(length >> 8),
                    UInt8(truncatingIfNeeded: length),
                ]
                for _ in 0..<length { bytes.append(UInt8.random(in: 0...255, using: &generator)) }
                client.receive(bytes)
            }
            #expect(client.heard.isEmpty && client.phase != .open, "seed \(seed)")
        }
    }
}
