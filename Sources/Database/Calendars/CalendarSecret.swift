import Codecs
import Crypto

/// The secret in the address of a calendar: 256 random bits, shown once and stored hashed.
package struct CalendarSecret: Sendable {
    package let text: String

    /// Makes the secret of 256 bits that was derived.
    package init(derived secret: DerivedSecret) { text = Base64URL.encode(secret.bytes) }

    /// Reads the last segment of an address, `SECRET.ics`; nil for text that cannot be one, so that it costs
    /// no query.
    package init?(fileName: String) {
        guard fileName.hasSuffix(".ics") else { return nil }
        let text = fileName.dropLast(4)
        guard text.utf8.count == 43, Base64URL.decode(text)?.count == 32 else { return nil }
        self.text = String(text)
    }

    /// The hash that is stored. The secret is random in every bit, so a plain hash cannot be searched.
    var hash: [UInt8] { Digest.sha256(Array(text.utf8)) }
}
