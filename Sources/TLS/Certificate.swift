/// The description of a certificate. It is a value, and holds nothing of OpenSSL's.
package struct Certificate: Hashable, Sendable {
    /// The subject, as text.
    package let subject: String
    /// The issuer, as text.
    package let issuer: String
    /// The host names and addresses that it is for.
    package let names: [String]
    /// The start of its validity, in seconds since 1970.
    package let notBefore: Int64
    /// The end of its validity, in seconds since 1970.
    package let notAfter: Int64
    package let pin: TLSPin
}
