import COpenSSL

/// The encryption of messages for one browser, which the push service cannot read (RFC 8291, on RFC 8188's
/// `aes128gcm`).
package struct PushEncryption: Sendable {
    package static let authLength = 16
    package static let saltLength = 16
    /// The longest text. A push service has to accept 4,096 bytes (RFC 8291 §4); of these 86 are the header,
    /// 16 the tag, and one ends the text.
    package static let maximumLength = 4096 - 86 - 16 - 1

    private let receiver: P256PublicKey
    private let auth: [UInt8]

    /// Creates an encryption from a browser's subscription: `p256dh` and `auth`.
    package init(publicKey: [UInt8], auth: [UInt8]) throws(CryptoError) {
        receiver = try P256PublicKey(bytes: publicKey)
        guard auth.count == Self.authLength else {
            throw .wrongLength("auth", expected: Self.authLength...Self.authLength, actual: auth.count)
        }
        self.auth = auth
    }

    /// Returns the body of the request, with a new key and a new salt each time.
    package func encrypt(_ text: [UInt8]) throws(CryptoError) -> [UInt8] {
        try encrypt(text, key: P256PrivateKey(), salt: .random(Self.saltLength))
    }

    /// Encrypts with a given key and salt, for the test vectors of the RFC. A pair of key and salt must never
    /// be used twice.
    func encrypt(_ text: [UInt8], key: P256PrivateKey, salt: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard text.count <= Self.maximumLength else {
            throw .wrongLength("a push message", expected: 0...Self.maximumLength, actual: text.count)
        }
        // The keys are derived as in RFC 8291 §3.4.
        let shared = try key.sharedSecret(with: receiver)
        let info = Array("WebPush: info\0".utf8) + receiver.bytes + key.publicKey.bytes
        let input = Self.expand(Self.extract(salt: auth, input: shared), info: info, count: 32)
        let pseudorandom = Self.extract(salt: salt, input: input)
        let contentKey = Self.expand(
            pseudorandom, info: Array("Content-Encoding: aes128gcm\0".utf8), count: 16)
        let nonce = Self.expand(pseudorandom, info: Array("Content-Encoding: nonce\0".utf8), count: 12)
        // The header is, by RFC 8188 §2.1, the salt, the size of a record, the length of the key's name, and
        // its name, which is the key.
        let header: [UInt8] = salt + [0, 0, 0x10, 0] + [UInt8(P256PublicKey.length)] + key.publicKey.bytes
        // The byte 2 ends the last record (RFC 8188 §2).
        return header + (try AES128GCM.seal(text + [2], key: contentKey, nonce: nonce))
    }

    /// Returns the pseudorandom key of HKDF (RFC 5869 §2.2).
    private static func extract(salt: [UInt8], input: [UInt8]) -> [UInt8] {
        Digest.hmacSHA256(input, key: salt)
    }

    /// Returns the output of HKDF (RFC 5869 §2.3), of at most 32 bytes, which is one round.
    private static func expand(_ key: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        Array(Digest.hmacSHA256(info + [1], key: key).prefix(count))
    }
}
