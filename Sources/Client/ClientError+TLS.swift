package import TLS

extension ClientError {
    /// Converts an error of TLS. Another attempt may end a fault of the network, but not one of trust.
    package init(_ error: TLSError) {
        self = error.isAboutTrust ? .untrusted(error.detail) : .network(error.detail)
    }
}
