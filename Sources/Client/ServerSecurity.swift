package import Contract
import TLS

/// What TLS says about a server.
package struct ServerSecurity: Hashable, Sendable {
    /// `TLSv1.3`
    package let version: String
    /// Who signed the server's certificate.
    package let issuer: String
    /// The last instant at which the certificate is good.
    package let expiresAt: Timestamp
    /// Its key, in the form that pins have.
    package let pin: String

    init?(_ peer: TLSPeer) {
        guard let certificate = peer.certificate else { return nil }
        version = peer.version
        issuer = certificate.issuer
        expiresAt = Timestamp(seconds: certificate.notAfter)
        pin = certificate.pin.description
    }
}
