import COpenSSL
import Codecs
import Testing

@testable import Crypto

@Suite struct P256Tests {
    @Test("a key survives being written and read")
    func roundTrip() throws {
        let key = try P256PrivateKey()
        let again = try P256PrivateKey(bytes: key.bytes())
        #expect(again.publicKey == key.publicKey)
        let message = Array("morning".utf8)
        #expect(key.publicKey.isSignature(try again.signature(of: message), of: message))
    }

    @Test("two agree on the same secret")
    func agreement() throws {
        let one = try P256PrivateKey()
        let other = try P256PrivateKey()
        #expect(try one.sharedSecret(with: other.publicKey) == other.sharedSecret(with: one.publicKey))
    }

    @Test("signatures have 64 bytes, whatever their numbers")
    func signatureLength() throws {
        let key = try P256PrivateKey()
        // One signature in 128 has a number with a leading zero byte.
        for number in 0..<400 {
            let message = Array("\(number)".utf8)
            let signature = try key.signature(of: message)
            #expect(signature.count == 64)
            #expect(key.publicKey.isSignature(signature, of: message))
        }
    }

    @Test("a signature that was touched is none", arguments: [0, 31, 32, 63])
    func touched(position: Int) throws {
        let key = try P256PrivateKey()
        var signature = try key.signature(of: [1, 2, 3])
        signature[position] ^= 1
        #expect(!key.publicKey.isSignature(signature, of: [1, 2, 3]))
        #expect(!key.publicKey.isSignature(Array(signature.dropLast()), of: [1, 2, 3]))
    }

    @Test("a number that is no key is refused")
    func numbers() {
        let zero = [UInt8](repeating: 0, count: 32)
        let beyond = [UInt8](repeating: 0xFF, count: 32)
        #expect(throws: CryptoError.notAPrivateKey) { try P256PrivateKey(bytes: zero) }
        #expect(throws: CryptoError.notAPrivateKey) { try P256PrivateKey(bytes: beyond) }
        #expect(throws: CryptoError.wrongLength("a private key", expected: 32...32, actual: 31)) {
            try P256PrivateKey(bytes: Array(zero.dropLast()))
        }
    }

    @Test("a file that is no key says so", arguments: ["", "hello", "-----BEGIN PRIVATE KEY-----\nAAAA\n"])
    func rubbish(text: String) {
        #expect(throws: CryptoError.notAPrivateKey) { try P256PrivateKey(pem: Array(text.utf8)) }
    }

    @Test("a key of P-256 in PEM is read")
    func pem() throws {
        let pem = PEMText.key(curve: NID_X9_62_prime256v1)
        let key = try P256PrivateKey(pem: pem)
        #expect(key.publicKey.isSignature(try key.signature(of: [1]), of: [1]))
    }

    @Test("a key of another curve is refused", arguments: [NID_secp384r1, NID_secp256k1])
    func otherCurve(curve: CInt) {
        let pem = PEMText.key(curve: curve)
        #expect(throws: CryptoError.notP256) { try P256PrivateKey(pem: pem) }
    }

    @Test("a provider token names team and key, and is signed")
    func providerToken() throws {
        let key = try P256PrivateKey()
        let token = try APNsToken(
            keyId: "ABC123DEFG", teamId: "DEF123GHIJ", issuedAt: 1_437_179_036, key: key)
        let parts = token.text.split(separator: ".")
        let texts = try parts.prefix(2).map {
            String(decoding: try #require(Base64URL.decode($0)), as: UTF8.self)
        }
        #expect(texts == [#"{"alg":"ES256","kid":"ABC123DEFG"}"#, #"{"iss":"DEF123GHIJ","iat":1437179036}"#])
        let signature = try #require(Base64URL.decode(parts[2]))
        #expect(key.publicKey.isSignature(signature, of: Array("\(parts[0]).\(parts[1])".utf8)))
    }
}
