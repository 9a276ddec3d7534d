import Codecs

/// The identity of the sender of pushes to browsers (RFC 8292).
package struct VAPID: Sendable {
    /// The lifetime of a token in seconds. RFC 8292 §2 allows at most 24 hours; twelve leave room for wrong
    /// clocks.
    package static let tokenSeconds: Int64 = 12 * 3600

    private let key: P256PrivateKey
    private let subject: String?

    /// Creates an identity. `subject` is the operator's `mailto:` or `https:` address (RFC 8292 §2.1), if
    /// any.
    package init(key: P256PrivateKey, subject: String?) {
        self.key = key
        self.subject = subject
    }

    /// Whether pushes name the operator. Some push services answer 403 to those that do not.
    package var namesOperator: Bool { subject != nil }

    /// The `applicationServerKey` with which browsers subscribe, in base64url.
    package var publicKey: String { Base64URL.encode(key.publicKey.bytes) }

    /// Returns the value of `Authorization` for a push service, named by its origin
    /// (`https://push.example.net`). `now` is in seconds since 1970.
    package func authorization(audience: String, at now: Int64) throws(CryptoError) -> String {
        let contact = subject.map { #","sub":\#(JSONWebToken.quoted($0))"# } ?? ""
        let origin = JSONWebToken.quoted(audience)
        let claims = #"{"aud":\#(origin),"exp":\#(now &+ Self.tokenSeconds)\#(contact)}"#
        let token = try JSONWebToken.signed(
            header: #"{"typ":"JWT","alg":"ES256"}"#, claims: claims, with: key)
        return "vapid t=\(token), k=\(publicKey)"
    }
}
