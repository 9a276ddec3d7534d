import COpenSSL

/// A key of HMAC with SHA-256 (RFC 2104), prepared once for many messages.
///
/// Unchecked: after `init` the prepared context is only copied, which OpenSSL permits to several threads at
/// once.
package final class HMACKey: @unchecked Sendable {
    private static let codeLength = 32
    private let prepared: OpaquePointer

    /// Prepares a key, at the start of a process, which ends where OpenSSL lacks SHA-256.
    package init(_ key: [UInt8]) {
        // Only a start makes a key, and no server can run without one: no request gets here.
        guard let prepared = Self.prepare(key) else { fatalError("OpenSSL has no HMAC with SHA-256") }
        self.prepared = prepared
    }

    deinit { EVP_MAC_CTX_free(prepared) }

    /// Whether that is the authentication code of the bytes, compared in a time that does not depend on the
    /// first difference.
    package func isCode(_ code: [UInt8], of bytes: [UInt8]) -> Bool {
        code.count == Self.codeLength && Digest.areEqual(authenticate(bytes), code)
    }

    /// Returns the authentication code of the bytes, of 32 bytes. As an array that cannot grow, it ends the
    /// process if there is no memory: what is no code might be taken for a secret.
    package func authenticate(_ bytes: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: Self.codeLength)
        var count = code.count
        // A prepared context fails only where memory is used up, and there the array above ends the process.
        guard let context = EVP_MAC_CTX_dup(prepared),
            EVP_MAC_update(context, bytes, bytes.count) == 1,
            EVP_MAC_final(context, &code, &count, code.count) == 1
        else { fatalError("there is no memory for a message authentication code") }
        EVP_MAC_CTX_free(context)
        return code
    }

    private static func prepare(_ key: [UInt8]) -> OpaquePointer? {
        guard let algorithm = EVP_MAC_fetch(nil, "HMAC", nil) else { return nil }
        defer { EVP_MAC_free(algorithm) }
        guard let context = EVP_MAC_CTX_new(algorithm) else { return nil }
        var digest = Array("SHA256".utf8CString)
        // The parameters hold addresses of both texts, which have to last until OpenSSL has read them.
        let isPrepared = OSSL_MAC_PARAM_DIGEST.withCString { name in
            digest.withUnsafeMutableBufferPointer { digest in
                let parameters = [
                    OSSL_PARAM_construct_utf8_string(name, digest.baseAddress, 0), OSSL_PARAM_construct_end(),
                ]
                return EVP_MAC_init(context, key, key.count, parameters) == 1
            }
        }
        if isPrepared { return context }
        EVP_MAC_CTX_free(context)
        return nil
    }
}
