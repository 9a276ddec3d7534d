/// What is told about a certificate. A value: it holds nothing of OpenSSL's.
package struct Certificate: Hashable, Sendable {
    /// Whose it is, in words.
    package let subject: String
    /// Who signed it, in words.
    package let issuer: String
    /// The hosts and addresses that it is for.
    package let names: [String]
    /// Seconds since 1970.
    package let notBefore: Int64
    /// Seconds since 1970.
    package let notAfter: Int64
    package let pin: TLSPin
}
