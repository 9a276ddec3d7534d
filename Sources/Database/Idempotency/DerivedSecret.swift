import Crypto

/// A secret that an answer shows once. Under an idempotency key it follows from a random salt, which is
/// stored, and a key of the servers, which is not stored beside it: so a lost answer can be given again.
package struct DerivedSecret: Sendable {
    package enum Kind: String, Sendable {
        /// A token of an account.
        case token
        /// The token and the recovery code of an account.
        case account
        case recovery, webhook, calendar, invite
    }

    package let kind: Kind
    package let salt: [UInt8]
    /// The 256 bits of the secret.
    package let bytes: [UInt8]
    /// The bits of the recovery code, which do not follow from those of the token.
    let codeBytes: [UInt8]

    /// Derives the secret of a salt; makes a new one without a salt.
    package init(_ kind: Kind, salt: [UInt8]? = nil, key: [UInt8]) {
        let salt = salt ?? .random(32)
        self.kind = kind
        self.salt = salt
        bytes = Digest.hmacSHA256(Array("\(kind.rawValue)\n".utf8) + salt, key: key)
        codeBytes = Digest.hmacSHA256(Array("code\n".utf8) + salt, key: key)
    }

    /// The texts that the answer shows. Of several each stands in the answer once.
    package var texts: [String] {
        switch kind {
        case .token: [APIToken(derived: self).text]
        case .account: [APIToken(derived: self).text, AccessCode(derived: self).text]
        case .recovery: [AccessCode(derived: self).text]
        case .webhook: [WebhookSecret(derived: bytes).text]
        case .calendar: [CalendarSecret(derived: self).text]
        case .invite: [InviteCode(derived: self).text]
        }
    }

    /// The digest by which it is recognised; that of a token is the one by which people sign in.
    package var hash: [UInt8] { Digest.sha256(Array((texts.first ?? "").utf8)) }
}
