package import TLS

extension ClientError {
    /// Another attempt may end a fault of the network, and does not end a fault of trust.
    package init(_ error: TLSError) {
        self = error.isAboutTrust ? .untrusted(error.detail) : .network(error.detail)
    }
}
