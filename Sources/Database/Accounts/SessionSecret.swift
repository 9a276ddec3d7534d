import Codecs
import Crypto

/// The value of a session's cookie: 256 random bits, stored hashed. It is no token, and a token is none.
package struct SessionSecret: Sendable {
    private static let prefix = "lss_"

    package let text: String

    package static func make() -> SessionSecret {
        SessionSecret(text: prefix + Base64URL.encode(.random(32)))
    }

    private init(text: String) { self.text = text }

    /// Reads a value; nil for text that cannot be one, so that it costs no query.
    package init?(_ text: String) {
        guard text.utf8.count == Self.prefix.utf8.count + 43, text.hasPrefix(Self.prefix),
            Base64URL.decode(text.dropFirst(Self.prefix.count)) != nil
        else { return nil }
        self.text = text
    }

    /// The hash that is stored. The secret is random in every bit, so a plain hash cannot be searched.
    package var hash: [UInt8] { Digest.sha256(Array(text.utf8)) }
}
