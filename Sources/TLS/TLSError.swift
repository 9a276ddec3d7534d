/// An error that prevents a trusted connection, as specific as a caller can act on.
package enum TLSError: Error, Hashable, Sendable {
    /// A certificate has expired; its owner, and the end in UTC.
    case expired(whose: String, on: String)
    /// A certificate is not valid yet; its owner, and the beginning in UTC.
    case notYetValid(whose: String, until: String)
    /// The certificate is for these names, and not for the one that was asked for.
    case otherHost(asked: String, names: [String])
    /// The server's certificate is self-signed.
    case selfSigned(host: String)
    /// The certificate is not signed by a trusted authority.
    case unknownAuthority(host: String, issuer: String)
    /// The chain has another fault, in OpenSSL's words.
    case badCertificate(host: String, reason: String)
    /// The certificate is valid, but its key is none of the pinned ones.
    case pinMismatch(host: String, found: TLSPin)

    /// The answer is not TLS.
    case notTLS
    /// One side asks for a version that the other does not support.
    case protocolVersion
    /// The connection ended before both sides had agreed.
    case endedEarly
    /// The handshake failed otherwise, in OpenSSL's words.
    case handshake(reason: String)
    /// Data after the handshake was corrupted, or the peer gave up; in OpenSSL's words.
    case broken(reason: String)

    /// The system has no authorities in any of these places.
    case noAuthorities(places: [String])
    /// The file cannot be read, or has no certificate in it.
    case badAuthorities(file: String, reason: String)
    /// A server's certificate chain or key cannot be used.
    case badIdentity(reason: String)
    /// OpenSSL has no memory, or was built without a required feature.
    case unavailable(reason: String)

    /// Whether it concerns the identity of the peer, so that another attempt fails too.
    package var isAboutTrust: Bool {
        switch self {
        case .expired, .notYetValid, .otherHost, .selfSigned, .unknownAuthority, .badCertificate,
            .pinMismatch,
            .noAuthorities, .badAuthorities, .badIdentity:
            true
        case .notTLS, .protocolVersion, .endedEarly, .handshake, .broken, .unavailable: false
        }
    }
}
