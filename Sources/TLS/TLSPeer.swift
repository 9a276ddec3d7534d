/// What a finished handshake tells about the other side.
package struct TLSPeer: Hashable, Sendable {
    /// `TLSv1.3`
    package let version: String
    /// Nil: the peer has shown none, as clients do.
    package let certificate: Certificate?
    /// The protocol that was agreed on (RFC 7301); nil: none was.
    package let applicationProtocol: String?
    /// In a server: the name that the client asked for (RFC 6066 §3).
    package let serverName: String?
}
