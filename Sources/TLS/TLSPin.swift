import COpenSSL

/// A public key, by the SHA-256 of its SubjectPublicKeyInfo (RFC 7469 §2.4), written `sha256//BASE64`.
package struct TLSPin: Hashable, Sendable, CustomStringConvertible {
    private static let prefix = "sha256//"
    private static let digestLength = 32

    private let digest: [UInt8]

    /// Reads a pin; nil if the text is not of that form, or does not encode 32 bytes.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let encoded = Array(text.utf8.dropFirst(Self.prefix.utf8.count))
        // 32 bytes are 43 digits and one sign of equality, which OpenSSL decodes to 33 bytes.
        guard encoded.count == 44, encoded.last == UInt8(ascii: "=") else { return nil }
        var decoded = [UInt8](repeating: 0, count: Self.digestLength + 1)
        // This is safe: 44 digits give 33 bytes, for which there is room.
        guard EVP_DecodeBlock(&decoded, encoded, CInt(encoded.count)) == decoded.count else { return nil }
        digest = Array(decoded.prefix(Self.digestLength))
        // The last digit may have unused bits; only the canonical text is accepted.
        guard description == text else { return nil }
    }

    /// Creates the pin of a key in DER.
    init(subjectPublicKeyInfo bytes: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: Self.digestLength)
        // Both buffers outlive the call, and the digest has the length that it writes.
        _ = SHA256(bytes, bytes.count, &digest)
        self.digest = digest
    }

    package var description: String {
        var text = [UInt8](repeating: 0, count: 45)
        // This is safe: 32 bytes give 44 digits and a zero.
        _ = EVP_EncodeBlock(&text, digest, CInt(digest.count))
        return Self.prefix + String(decoding: text.prefix(44), as: UTF8.self)
    }
}
