import COpenSSL

/// A SHA-256 digest (FIPS 180-4) of bytes that come in pieces, such as those of a large file.
package final class RunningDigest {
    private let context: OpaquePointer

    package init() throws(CryptoError) {
        guard let context = EVP_MD_CTX_new() else { throw .failed("EVP_MD_CTX_new") }
        self.context = context
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { throw .failed("EVP_DigestInit_ex") }
    }

    deinit { EVP_MD_CTX_free(context) }

    package func update(_ bytes: UnsafeRawBufferPointer) throws(CryptoError) {
        guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
            throw .failed("EVP_DigestUpdate")
        }
    }

    /// Returns the digest, of 32 bytes. Nothing can be added afterwards.
    package func finish() throws(CryptoError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw .failed("EVP_DigestFinal_ex") }
        return digest
    }
}
