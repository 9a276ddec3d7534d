import Codecs
import Testing

@testable import Crypto

@Suite("HMAC keys")
struct HMACKeyTests {
    @Test(
        "give the codes of RFC 4231, §4.2, §4.3 and §4.7",
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ] as [([UInt8], String, String)])
    func vectors(secret: [UInt8], message: String, code: String) {
        let key = HMACKey(secret)
        // The second code shows that the first one has left the key as it was.
        for _ in 0..<2 {
            let made = key.authenticate(Array(message.utf8))
            #expect(made.hexadecimal == code)
            #expect(key.isCode(made, of: Array(message.utf8)))
        }
    }

    @Test("give the codes that OpenSSL gives at once, from several tasks")
    func atOnce() async {
        let key = HMACKey([])
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let message = [UInt8](repeating: UInt8(number), count: number)
                    #expect(key.authenticate(message) == Digest.hmacSHA256(message, key: []))
                }
            }
        }
    }

    @Test("take no other code, nor an empty one")
    func others() {
        let key = HMACKey([1])
        var code = key.authenticate([2])
        #expect(!key.isCode([], of: [2]) && !key.isCode(code, of: [3]) && !key.isCode(code + [0], of: [2]))
        code[31] ^= 1
        #expect(!key.isCode(code, of: [2]))
    }
}
