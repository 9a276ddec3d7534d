/// The properties of the peer after a finished handshake.
package struct TLSPeer: Hashable, Sendable {
    /// The version of TLS, such as `TLSv1.3`.
    package let version: String
    /// The certificate of the peer; nil if it presented none, as clients do.
    package let certificate: Certificate?
    /// The protocol that was agreed on (RFC 7301), if any.
    package let applicationProtocol: String?
    /// The name that the client asked for (RFC 6066 §3), in a server.
    package let serverName: String?
}
