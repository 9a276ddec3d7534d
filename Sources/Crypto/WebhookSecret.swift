import Codecs

/// A key that signs webhooks, in the form of Standard Webhooks: `whsec_` and base64.
package struct WebhookSecret: Hashable, Sendable {
    private static let prefix = "whsec_"
    /// The allowed lengths in bytes: Standard Webhooks allows 192 to 512 bits.
    package static let lengths = 24...64

    package let bytes: [UInt8]

    /// Returns a new random key of 256 bits.
    package static func make() -> WebhookSecret {
        WebhookSecret(unchecked: .random(32))
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// Wraps a derived key of 256 bits.
    package init(derived bytes: [UInt8]) {
        precondition(bytes.count == 32, "a key that is not of 256 bits")
        self.init(unchecked: bytes)
    }

    package init(bytes: [UInt8]) throws(CryptoError) {
        guard Self.lengths.contains(bytes.count) else {
            throw .wrongLength("a webhook's secret", expected: Self.lengths, actual: bytes.count)
        }
        self.bytes = bytes
    }

    /// Reads a key; the prefix may be missing.
    package init(_ text: String) throws(CryptoError) {
        let encoded = text.hasPrefix(Self.prefix) ? text.dropFirst(Self.prefix.count) : text[...]
        guard let bytes = Base64.decode(encoded) else { throw .notBase64("a webhook's secret") }
        try self.init(bytes: bytes)
    }

    /// The text of the key, which is shown to its owner once.
    package var text: String { Self.prefix + Base64.encode(bytes) }
}
