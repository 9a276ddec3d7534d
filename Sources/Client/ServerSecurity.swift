package import Contract
import TLS

/// The TLS properties of a server.
package struct ServerSecurity: Hashable, Sendable {
    /// The version of TLS, such as `TLSv1.3`.
    package let version: String
    /// The issuer of the server's certificate.
    package let issuer: String
    /// The last instant at which the certificate is valid.
    package let expiresAt: Timestamp
    /// The key of the certificate, in the form of a pin.
    package let pin: String

    init?(_ peer: TLSPeer) {
        guard let certificate = peer.certificate else { return nil }
        version = peer.version
        issuer = certificate.issuer
        expiresAt = Timestamp(seconds: certificate.notAfter)
        pin = certificate.pin.description
    }
}
