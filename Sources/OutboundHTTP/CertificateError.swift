/// A reason not to trust a certificate; the raw value is the text for the owner of a receiver.
enum CertificateError: String {
    case expired = "the certificate has expired"
    case notYetValid = "the certificate is not valid yet"
    case otherName = "the certificate is for another name"
    case selfSigned = "the certificate is signed by itself"
    case unknownAuthority = "the certificate is signed by an authority that is not trusted"

    /// Reads OpenSSL's X509_V_… code of a verification that failed. libcurl compares the name itself, when
    /// the chain is valid, and leaves the code at "unspecified" if the name differs. Nil: another reason.
    init?(verifyResult code: Int) {
        switch code {
        case 0, 1, 62, 64: self = .otherName
        case 9: self = .notYetValid
        case 10: self = .expired
        case 18: self = .selfSigned
        case 2, 19, 20, 21: self = .unknownAuthority
        default: return nil
        }
    }
}
