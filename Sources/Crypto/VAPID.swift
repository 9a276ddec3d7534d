import Codecs

/// Who sends pushes to browsers (RFC 8292).
package struct VAPID: Sendable {
    /// RFC 8292 §2: at most 24 hours; twelve leave room for clocks that are wrong.
    package static let tokenSeconds: Int64 = 12 * 3600

    private let key: P256PrivateKey
    private let subject: String?

    /// `subject`: how to reach the operator, a `mailto:` or `https:` address (RFC 8292 §2.1); nil: they do
    /// not say.
    package init(key: P256PrivateKey, subject: String?) {
        self.key = key
        self.subject = subject
    }

    /// What browsers subscribe with: `applicationServerKey`, in base64url.
    package var publicKey: String { Base64URL.encode(key.publicKey.bytes) }

    /// The value of `Authorization` for a push service, named by its origin (`https://push.example.net`).
    /// Seconds since 1970.
    package func authorization(audience: String, at now: Int64) throws(CryptoError) -> String {
        let contact = subject.map { #","sub":\#(JSONWebToken.quoted($0))"# } ?? ""
        let origin = JSONWebToken.quoted(audience)
        let claims = #"{"aud":\#(origin),"exp":\#(now &+ Self.tokenSeconds)\#(contact)}"#
        let token = try JSONWebToken.signed(
            header: #"{"typ":"JWT","alg":"ES256"}"#, claims: claims, with: key)
        return "vapid t=\(token), k=\(publicKey)"
    }
}
