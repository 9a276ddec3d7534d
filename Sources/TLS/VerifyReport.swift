import COpenSSL

/// A report of the first error that OpenSSL found in a chain. It only observes: the verdict of OpenSSL stays.
final class VerifyReport {
    private(set) var code: CInt = X509_V_OK
    private(set) var certificate: Certificate?

    /// The callback that OpenSSL calls during a handshake, on the thread that drives it.
    static let callback: @convention(c) (CInt, OpaquePointer?) -> CInt = { verdict, store in
        guard verdict != 1, let store else { return verdict }
        let index = SSL_get_ex_data_X509_STORE_CTX_idx()
        guard let session = X509_STORE_CTX_get_ex_data(store, index),
            let report = SSL_get_ex_data(OpaquePointer(session), 0)
        else { return verdict }
        // This is safe: the session holds its report for as long as it holds OpenSSL's session.
        Unmanaged<VerifyReport>.fromOpaque(report).takeUnretainedValue().hear(store)
        return verdict
    }

    private func hear(_ store: OpaquePointer) {
        guard code == X509_V_OK else { return }
        code = X509_STORE_CTX_get_error(store)
        certificate = X509_STORE_CTX_get_current_cert(store).map { Certificate(reading: $0) }
    }

    func error(host: String) -> TLSError {
        let certificate = certificate
        let whose = certificate.map(\.subject).flatMap { $0.isEmpty ? nil : $0 } ?? host
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return .expired(whose: whose, on: Certificate.date(certificate?.notAfter ?? 0))
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return .notYetValid(whose: whose, until: Certificate.date(certificate?.notBefore ?? 0))
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
            return .otherHost(asked: host, names: certificate?.names ?? [])
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
            return .selfSigned(host: host)
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            return .unknownAuthority(host: host, issuer: certificate?.issuer ?? "an unknown authority")
        default:
            return .badCertificate(
                host: host, reason: String(cString: X509_verify_cert_error_string(Int(code))))
        }
    }
}
