import Codecs
import Crypto

/// The value of an operator's cookie, or an operator's token: 256 random bits, stored hashed.
package struct OperatorSecret: Sendable {
    package enum Kind: String, Sendable {
        case session = "lsc_"
        case token = "lso_"
    }

    package let kind: Kind
    package let text: String

    package static func make(_ kind: Kind) -> OperatorSecret {
        OperatorSecret(kind: kind, text: kind.rawValue + Base64URL.encode(.random(32)))
    }

    private init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }

    /// Reads a value; nil for text that cannot be one, so that it costs no query.
    package init?(_ kind: Kind, _ text: String) {
        guard text.utf8.count == kind.rawValue.utf8.count + 43, text.hasPrefix(kind.rawValue),
            Base64URL.decode(text.dropFirst(kind.rawValue.count)) != nil
        else { return nil }
        self.init(kind: kind, text: text)
    }

    /// The beginning, by which its owner tells a token from others.
    package var beginning: String { String(text.prefix(kind.rawValue.count + 4)) }

    /// The hash that is stored. The secret is random in every bit, so a plain hash cannot be searched.
    package var hash: [UInt8] { Digest.sha256(Array(text.utf8)) }
}
