import Testing

@testable import Crypto

@Suite("A running digest")
struct RunningDigestTests {
    @Test("is that of all bytes, however they come in pieces", arguments: [0, 1, 63, 64, 65, 1000])
    func pieces(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for split in [0, count / 3, count] {
            let digest = try RunningDigest()
            try bytes[..<split].withUnsafeBytes { try digest.update($0) }
            try bytes[split...].withUnsafeBytes { try digest.update($0) }
            #expect(try digest.finish() == Digest.sha256(bytes))
        }
    }
}
