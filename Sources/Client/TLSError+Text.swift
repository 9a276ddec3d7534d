package import Contract
package import TLS

extension ClientError {
    /// Converts an error of TLS. Another attempt may end a fault of the network, but not one of trust.
    package init(_ error: TLSError) {
        self = error.isAboutTrust ? .untrusted(error.text) : .network(error.text)
    }
}

extension TLSError {
    /// The number of names that an error shows; a certificate may have hundreds.
    private static let shownNames = 5

    /// A description of the error and of the remedy, for people.
    package var text: Text {
        switch self {
        case .expired(let whose, let date):
            "The certificate of \(whose) expired on \(date). Its operator has to renew it, unless the "
                + "clock here is wrong."
        case .notYetValid(let whose, let date):
            "The certificate of \(whose) is not valid before \(date). Check the clock here."
        case .otherHost(let asked, let names):
            "The certificate is not for \(asked): \(Self.list(names)). Is the name right?"
        case .selfSigned(let host):
            "The certificate of \(host) is signed by itself. If it is yours, give it with --cacert."
        case .unknownAuthority(let host, let issuer):
            "The certificate of \(host) is signed by \(issuer), which is not trusted here. If that is right, "
                + "give the authority's certificate with --cacert."
        case .badCertificate(let host, let reason):
            "The certificate of \(host) cannot be trusted: \(reason)."
        case .pinMismatch(let host, let found):
            "The key of \(host) is not a pinned one: it is \(found). If the server has a new key, pin that; "
                + "if not, a third party is in between."
        case .notTLS: "The server does not speak TLS at this port. Did you mean http:// instead of https://?"
        case .protocolVersion: "The server does not speak TLS 1.2 or 1.3, and older versions are not safe."
        case .endedEarly: "The connection ended in the middle of the TLS handshake. Is this a port for https?"
        case .handshake(let reason): "TLS could not be agreed on: \(reason)."
        case .broken(let reason): "The TLS connection broke: \(reason)."
        case .noAuthorities(let places):
            "No trusted authorities are installed: there are none in \(places.joined(separator: " or ")). "
                + "Install the package ca-certificates, or give a file with --cacert."
        case .badAuthorities(let file, let reason):
            "The authorities in \(file) cannot be used: \(reason)."
        case .badIdentity(let reason): "The server's certificate or key cannot be used: \(reason)."
        case .unavailable(let reason): "TLS cannot be used: \(reason)."
        }
    }

    private static func list(_ names: [String]) -> Text {
        if names.isEmpty { return "it names no host at all" }
        let shown = names.prefix(shownNames).joined(separator: ", ")
        let rest = names.count - shownNames
        return rest > 0 ? "it is for \(shown) and \(rest) more" : "it is for \(shown)"
    }
}
