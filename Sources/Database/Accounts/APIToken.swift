import Codecs
import Crypto

/// A token with which a user signs in: 256 random bits, shown once and stored hashed.
package struct APIToken: Sendable {
    private static let prefix = "lsk_"

    package let text: String

    /// The beginning, by which the owner tells the token from others. It leaves 232 bits to guess.
    package var beginning: String { String(text.prefix(Self.prefix.count + 4)) }

    package static func make() -> APIToken {
        APIToken(text: prefix + Base64URL.encode(.random(32)))
    }

    /// Makes the token of a derived secret.
    package init(derived secret: DerivedSecret) {
        text = Self.prefix + Base64URL.encode(secret.bytes)
    }

    private init(text: String) { self.text = text }

    /// Reads a token; nil for text that cannot be one, so that it costs no query.
    package init?(_ text: String) {
        guard text.utf8.count == Self.prefix.utf8.count + 43, text.hasPrefix(Self.prefix),
            Base64URL.decode(text.dropFirst(Self.prefix.count)) != nil
        else { return nil }
        self.text = text
    }

    /// The hash that is stored. The token is random in every bit, so a plain hash cannot be searched.
    package var hash: [UInt8] { Digest.sha256(Array(text.utf8)) }
}
