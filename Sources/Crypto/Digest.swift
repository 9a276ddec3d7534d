import COpenSSL

/// Digests and message authentication, by OpenSSL.
package enum Digest {
    /// Returns the SHA-256 digest (FIPS 180-4), of 32 bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        _ = SHA256(bytes, bytes.count, &digest)
        return digest
    }

    /// Returns the HMAC with SHA-256 (RFC 2104), of 32 bytes.
    package static func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 32
        _ = HMAC(EVP_sha256(), key, CInt(clamping: key.count), bytes, bytes.count, &digest, &length)
        return digest
    }

    /// Returns the HMAC with SHA-1 (RFC 2104), of 20 bytes: for one-time codes alone.
    package static func hmacSHA1(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 20)
        var length: UInt32 = 20
        _ = HMAC(EVP_sha1(), key, CInt(clamping: key.count), bytes, bytes.count, &digest, &length)
        return digest
    }

    /// Whether both are equal, compared in a time that does not depend on the first difference.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
