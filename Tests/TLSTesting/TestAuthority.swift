import COpenSSL

/// An authority that signs whatever a test asks it to.
///
/// Unchecked: nothing changes the certificate after the initialiser, and OpenSSL reads it from any thread.
package final class TestAuthority: @unchecked Sendable {
    private static let day = 86_400

    private let key = TestKey()
    /// OpenSSL's certificate; freed with this value.
    private let certificate: OpaquePointer

    package init(name: String = "Test Authority") {
        certificate = Self.make(name, key, days: -1...30, ["CA:TRUE": NID_basic_constraints])
        Self.sign(certificate, issuer: certificate, key)
    }

    deinit { X509_free(certificate) }

    /// The authority's certificate, for those who are to trust it.
    package var pem: [UInt8] { Self.pem(certificate) }

    /// Issues a certificate for names such as `DNS:localhost` or `IP:127.0.0.1`, valid on those days from
    /// now.
    package func issue(
        _ names: String = "DNS:localhost,IP:127.0.0.1,IP:::1", commonName: String = "test server",
        days: ClosedRange<Int> = -1...30, key: TestKey = TestKey()
    ) -> Identity {
        let leaf = Self.make(commonName, key, days: days, names.isEmpty ? [:] : [names: NID_subject_alt_name])
        defer { X509_free(leaf) }
        Self.sign(leaf, issuer: certificate, self.key)
        return Identity(chain: Self.pem(leaf), key: key.pem)
    }

    /// Returns a certificate that only its own key has signed.
    package static func selfSigned(_ names: String = "DNS:localhost,IP:127.0.0.1") -> Identity {
        let key = TestKey()
        let leaf = make("alone", key, days: -1...30, [names: NID_subject_alt_name])
        defer { X509_free(leaf) }
        sign(leaf, issuer: leaf, key)
        return Identity(chain: pem(leaf), key: key.pem)
    }

    private static func make(
        _ name: String, _ key: TestKey, days: ClosedRange<Int>, _ extensions: [String: CInt]
    ) -> OpaquePointer {
        guard let certificate = X509_new() else { preconditionFailure("OpenSSL makes no certificate") }
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), Int.random(in: 1...Int.max))
        X509_gmtime_adj(X509_getm_notBefore(certificate), days.lowerBound * day)
        X509_gmtime_adj(X509_getm_notAfter(certificate), days.upperBound * day)
        X509_NAME_add_entry_by_txt(
            X509_get_subject_name(certificate), "CN", MBSTRING_UTF8, name, CInt(name.utf8.count), -1, 0)
        X509_set_pubkey(certificate, key.raw)
        for (value, kind) in extensions {
            let made = X509V3_EXT_nconf_nid(nil, nil, kind, value)
            X509_add_ext(certificate, made, -1)
            X509_EXTENSION_free(made)
        }
        return certificate
    }

    private static func sign(_ certificate: OpaquePointer, issuer: OpaquePointer, _ key: TestKey) {
        X509_set_issuer_name(certificate, X509_get_subject_name(issuer))
        precondition(X509_sign(certificate, key.raw, EVP_sha256()) > 0, "OpenSSL signs nothing")
    }

    private static func pem(_ certificate: OpaquePointer) -> [UInt8] {
        PEM.text { PEM_write_bio_X509($0, certificate) }
    }
}
