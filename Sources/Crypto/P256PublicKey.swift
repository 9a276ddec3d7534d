import COpenSSL

/// A public key: a point of the curve P-256.
package struct P256PublicKey: Hashable, Sendable {
    package static let length = 65

    /// The uncompressed point: 4, and the two coordinates (SEC 1, section 2.3.3).
    package let bytes: [UInt8]

    /// Creates a key. Throws if the bytes are not a point of the curve.
    package init(bytes: [UInt8]) throws(CryptoError) {
        guard bytes.count == Self.length, bytes.first == 4 else { throw .notAPoint }
        self.bytes = bytes
        // A point that is not on the curve could reveal the private key that it is combined with.
        _ = try KeyHandle(publicKey: bytes)
    }

    /// Whether these 64 bytes are the key's ES256 signature (RFC 7518 §3.4) of the message.
    package func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let encoded = ECDSASignature.der(from: signature), let key = try? KeyHandle(publicKey: bytes)
        else { return false }
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key.raw) == 1 else { return false }
        return EVP_DigestVerify(context, encoded, encoded.count, message, message.count) == 1
    }
}
