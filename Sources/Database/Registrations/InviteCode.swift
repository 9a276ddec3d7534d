import Codecs
import Crypto

/// The code of an invite: 256 random bits, shown once and stored hashed.
package struct InviteCode: Hashable, Sendable {
    package let text: String

    /// Makes the code of 256 bits that was derived.
    package init(derived secret: DerivedSecret) { text = Base64URL.encode(secret.bytes) }

    /// Reads a code; nil for text that cannot be one, so that it costs no query.
    package init?(_ text: String) {
        guard text.utf8.count == 43, Base64URL.decode(text)?.count == 32 else { return nil }
        self.text = text
    }

    /// The hash that is stored. The code is random in every bit, so a plain hash cannot be searched.
    var hash: [UInt8] { Digest.sha256(Array(text.utf8)) }
}
