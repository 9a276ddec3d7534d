import COpenSSL

/// The hash that RFC 6455 §4.2.2 asks for. It protects nothing.
enum SHA1Digest {
    static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        // Both buffers outlive the call, and the digest has the length that it writes.
        _ = SHA1(bytes, bytes.count, &digest)
        return digest
    }
}
