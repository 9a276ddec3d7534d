/// Why there is no trusted connection, as far as a caller can act on it.
package enum TLSError: Error, Hashable, Sendable {
    /// A certificate's time is over; `whose` it is, and the end in UTC.
    case expired(whose: String, on: String)
    /// A certificate's time has not begun; `whose` it is, and the beginning in UTC.
    case notYetValid(whose: String, until: String)
    /// The certificate is for these names, and not for the one that was asked for.
    case otherHost(asked: String, names: [String])
    /// The server's certificate is signed by nobody but itself.
    case selfSigned(host: String)
    /// No authority that is trusted stands behind the certificate.
    case unknownAuthority(host: String, issuer: String)
    /// The chain has another fault, in OpenSSL's words.
    case badCertificate(host: String, reason: String)
    /// The certificate is in order, and its key is none of the pinned ones.
    case pinMismatch(host: String, found: TLSPin)

    /// What answers is not TLS.
    case notTLS
    /// One side asks for a version that the other does not speak.
    case protocolVersion
    /// The connection ended before both sides had agreed.
    case endedEarly
    /// The handshake failed otherwise, in OpenSSL's words.
    case handshake(reason: String)
    /// What came after the handshake is not what was sent, or the peer gave up; in OpenSSL's words.
    case broken(reason: String)

    /// The system has no authorities in any of these places.
    case noAuthorities(places: [String])
    /// The file cannot be read, or has no certificate in it.
    case badAuthorities(file: String, reason: String)
    /// A server's certificate chain or key cannot be used.
    case badIdentity(reason: String)
    /// OpenSSL has no memory, or was built without what is needed.
    case unavailable(reason: String)

    /// Whether it is about who the peer is: another attempt has the same end.
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
