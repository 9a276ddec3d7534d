import COpenSSL
import Codecs

/// A public key, by the SHA-256 of its SubjectPublicKeyInfo (RFC 7469 §2.4), written `sha256//BASE64`.
package struct TLSPin: Hashable, Sendable, CustomStringConvertible {
    private static let prefix = "sha256//"
    private static let digestLength = 32

    private let digest: [UInt8]

    /// Reads a pin; nil if the text is not of that form, or does not encode 32 bytes.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix),
            let digest = Base64.decode(text.dropFirst(Self.prefix.count)), digest.count == Self.digestLength
        else { return nil }
        self.digest = digest
    }

    /// Creates the pin of a key in DER.
    init(subjectPublicKeyInfo bytes: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: Self.digestLength)
        // Both buffers outlive the call, and the digest has the length that it writes.
        _ = SHA256(bytes, bytes.count, &digest)
        self.digest = digest
    }

    package var description: String { Self.prefix + Base64.encode(digest) }
}
