import Codecs
import Testing

@testable import Crypto

/// Tests of the example in RFC 8291, section 5 and appendix A.
@Suite struct PushEncryptionTests {
    private static let senderKey = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    private static let receiverPoint =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let auth = "BTBZMqHH6r4Tts7J_aSIgg"
    private static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
    private static let body =
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
        + "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"

    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }

    @Test("the example of the RFC comes out to the byte")
    func example() throws {
        let encryption = try PushEncryption(
            publicKey: bytes(Self.receiverPoint), auth: bytes(Self.auth))
        let key = try P256PrivateKey(bytes: bytes(Self.senderKey))
        let body = try encryption.encrypt(
            Array("When I grow up, I want to be a watermelon".utf8), key: key, salt: bytes(Self.salt))
        #expect(Base64URL.encode(body) == Self.body)
    }

    @Test("the same text is never encrypted the same way twice")
    func freshness() throws {
        let encryption = try PushEncryption(
            publicKey: bytes(Self.receiverPoint), auth: bytes(Self.auth))
        let text = Array("hello".utf8)
        let bodies = try Set((0..<20).map { _ in try encryption.encrypt(text) })
        #expect(bodies.count == 20)
    }

    @Test("a full message has 4,096 bytes, and a longer one is refused")
    func limit() throws {
        let encryption = try PushEncryption(
            publicKey: bytes(Self.receiverPoint), auth: bytes(Self.auth))
        let longest = [UInt8](repeating: 7, count: PushEncryption.maximumLength)
        #expect(try encryption.encrypt(longest).count == 4096)
        #expect(throws: CryptoError.self) { try encryption.encrypt(longest + [7]) }
    }

    @Test("a key that is no point of the curve is refused", arguments: [0, 1, 33, 64, 65, 66])
    func senselessKeys(length: Int) throws {
        var point = [UInt8](repeating: 1, count: length)
        if length > 0 { point[0] = 4 }
        let auth = try bytes(Self.auth)
        #expect(throws: CryptoError.notAPoint) { try PushEncryption(publicKey: point, auth: auth) }
    }

    @Test("an auth of another length is refused", arguments: [0, 15, 17])
    func senselessAuth(length: Int) throws {
        let point = try bytes(Self.receiverPoint)
        #expect(throws: CryptoError.wrongLength("auth", expected: 16...16, actual: length)) {
            try PushEncryption(publicKey: point, auth: [UInt8](repeating: 0, count: length))
        }
    }
}
