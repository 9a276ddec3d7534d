import Codecs
import Crypto

/// The use of a secret, which keeps its type apart from others.
package protocol SecretUse: Hashable, Sendable {
    static var prefix: String { get }
}

/// 256 random bits that give access to their bearer: shown once and stored hashed.
package struct BearerSecret<Use: SecretUse>: Hashable, Sendable {
    package let text: String

    package static func make() -> BearerSecret { BearerSecret(.random(32)) }

    package init(derived secret: DerivedSecret) { self.init(secret.bytes) }

    private init(_ bytes: [UInt8]) { text = Use.prefix + Base64URL.encode(bytes) }

    /// Reads a secret; nil for text that cannot be one, so that it costs no query.
    package init?(_ text: String) {
        guard text.utf8.count == Use.prefix.utf8.count + 43, text.hasPrefix(Use.prefix),
            Base64URL.decode(text.dropFirst(Use.prefix.count)) != nil
        else { return nil }
        self.text = text
    }

    /// The beginning, by which the owner tells the secret from others. It leaves 232 bits to guess.
    package var beginning: String { String(text.prefix(Use.prefix.count + 4)) }

    /// The hash that is stored. The secret is random in every bit, so a plain hash cannot be searched.
    package var hash: [UInt8] { Digest.sha256(Array(text.utf8)) }
}

/// A token with which a user signs in.
package typealias APIToken = BearerSecret<TokenUse>
package enum TokenUse: SecretUse { package static let prefix = "lsk_" }

/// The value of a session's cookie. It is no token, and a token is none.
package typealias SessionSecret = BearerSecret<SessionUse>
package enum SessionUse: SecretUse { package static let prefix = "lss_" }

/// The code of an invite.
package typealias InviteCode = BearerSecret<InviteUse>
package enum InviteUse: SecretUse { package static let prefix = "" }

/// The secret in the address of a calendar.
package typealias CalendarSecret = BearerSecret<CalendarUse>
package enum CalendarUse: SecretUse { package static let prefix = "" }

extension CalendarSecret {
    /// Reads the last segment of an address, `SECRET.ics`.
    package init?(fileName: String) {
        guard fileName.hasSuffix(".ics") else { return nil }
        self.init(String(fileName.dropLast(4)))
    }
}

/// The value of an operator's cookie.
package typealias OperatorCookie = BearerSecret<OperatorCookieUse>
package enum OperatorCookieUse: SecretUse { package static let prefix = "lsc_" }

package typealias OperatorToken = BearerSecret<OperatorTokenUse>
package enum OperatorTokenUse: SecretUse { package static let prefix = "lso_" }

/// A cookie or a token by which an operator is signed in.
package enum OperatorSecret: Sendable {
    case session(OperatorCookie)
    case token(OperatorToken)
}
