import COpenSSL
import Glibc

/// The shared state of the sessions of one client or one server: the authorities that they trust, and their
/// identity.
///
/// Unchecked: OpenSSL counts the references to its context atomically and allows sessions to be made from it
/// by several threads at once; nothing changes it after the initialiser.
package final class TLSContext: @unchecked Sendable {
    package let raw: OpaquePointer
    let pins: Set<TLSPin>

    /// Creates a context for clients. It reads the authorities from the disk, which blocks.
    package init(_ configuration: TLSConfiguration) throws(TLSError) {
        raw = try Self.make(TLS_client_method())
        pins = configuration.pins
        SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, VerifyReport.callback)
        switch configuration.authorities {
        case .system: try Self.loadSystem(raw)
        case .file(let path): try Self.load(path, raw)
        }
    }

    /// Creates a context for a server: its certificates, its own first, and its key, in PEM. `maximumVersion`
    /// is OpenSSL's number; 0 for the newest.
    package init(chain: [UInt8], key: [UInt8], maximumVersion: CInt = 0) throws(TLSError) {
        raw = try Self.make(TLS_server_method())
        pins = []
        _ = tls_set_maximum_version(raw, maximumVersion)
        SSL_CTX_set_alpn_select_cb(raw, ApplicationProtocol.select, nil)
        try Self.identify(raw, chain, key)
    }

    deinit { SSL_CTX_free(raw) }

    private static func make(_ method: OpaquePointer?) throws(TLSError) -> OpaquePointer {
        OpenSSLError.clear()
        guard let raw = SSL_CTX_new(method) else { throw .unavailable(reason: OpenSSLError.take().text) }
        guard tls_set_minimum_version(raw, TLS1_2_VERSION) == 1 else {
            SSL_CTX_free(raw)
            throw .unavailable(reason: OpenSSLError.take().text)
        }
        // Renegotiation would let a peer present another certificate later.
        tls_refuse_renegotiation(raw)
        return raw
    }

    private static func load(_ path: String, _ raw: OpaquePointer) throws(TLSError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .badAuthorities(file: path, reason: String(cString: strerror(errno))) }
        _ = Glibc.close(file)
        OpenSSLError.clear()
        guard SSL_CTX_load_verify_file(raw, path) == 1 else {
            OpenSSLError.clear()
            throw .badAuthorities(file: path, reason: "there is no certificate in PEM form in it")
        }
        // A named certificate is trusted, whether it is self-signed or not.
        _ = X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(raw), UInt(X509_V_FLAG_PARTIAL_CHAIN))
    }

    private static func loadSystem(_ raw: OpaquePointer) throws(TLSError) {
        let file = place(X509_get_default_cert_file_env(), X509_get_default_cert_file())
        let folder = place(X509_get_default_cert_dir_env(), X509_get_default_cert_dir())
        guard access(file, R_OK) == 0 || hasEntries(folder) else {
            throw .noAuthorities(places: [file, folder])
        }
        OpenSSLError.clear()
        guard SSL_CTX_set_default_verify_paths(raw) == 1 else {
            throw .unavailable(reason: OpenSSLError.take().text)
        }
    }

    /// Returns the place where OpenSSL looks: from the environment, or else as built in.
    private static func place(_ variable: UnsafePointer<CChar>?, _ usual: UnsafePointer<CChar>?) -> String {
        let named = variable.flatMap { getenv($0) }.map { String(cString: $0) }
        return named ?? usual.map { String(cString: $0) } ?? ""
    }

    private static func hasEntries(_ folder: String) -> Bool {
        guard let entries = opendir(folder) else { return false }
        defer { closedir(entries) }
        // Every folder has the entries `.` and `..`.
        for _ in 0..<3 where readdir(entries) == nil { return false }
        return true
    }

    private static func identify(
        _ raw: OpaquePointer, _ chain: [UInt8], _ key: [UInt8]
    ) throws(TLSError) {
        OpenSSLError.clear()
        let certificates = MemoryBIO(chain)
        var count = 0
        while let certificate = PEM_read_bio_X509(certificates.raw, nil, nil, nil) {
            let result =
                count == 0
                ? SSL_CTX_use_certificate(raw, certificate) : tls_add_chain_certificate(raw, certificate)
            X509_free(certificate)  // The context has taken a reference of its own.
            guard result == 1 else { throw .badIdentity(reason: OpenSSLError.take().text) }
            count += 1
        }
        OpenSSLError.clear()  // The end of the text also leaves an error.
        guard count > 0 else { throw .badIdentity(reason: "there is no certificate in PEM form") }
        let text = MemoryBIO(key)
        guard let privateKey = PEM_read_bio_PrivateKey(text.raw, nil, nil, nil) else {
            OpenSSLError.clear()
            throw .badIdentity(reason: "there is no private key in PEM form")
        }
        defer { EVP_PKEY_free(privateKey) }
        guard SSL_CTX_use_PrivateKey(raw, privateKey) == 1, SSL_CTX_check_private_key(raw) == 1 else {
            throw .badIdentity(reason: OpenSSLError.take().text)
        }
    }
}
