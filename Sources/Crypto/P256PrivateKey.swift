import COpenSSL
import Codecs

/// A private key of the curve P-256, for signatures (ES256) and for agreement (ECDH).
package struct P256PrivateKey: Sendable {
    package static let length = 32

    package let publicKey: P256PublicKey
    private let handle: KeyHandle

    /// Creates a random key.
    package init() throws(CryptoError) {
        try self.init(KeyHandle.generate())
    }

    /// Reads a key in PEM, as in `.p8` files and from `openssl genpkey`.
    package init(pem: [UInt8]) throws(CryptoError) {
        let input = BIO_new_mem_buf(pem, CInt(clamping: pem.count))
        defer { BIO_free(input) }
        // A key with a passphrase is refused, instead of asking for it at a terminal.
        let refuse:
            @convention(c) (UnsafeMutablePointer<CChar>?, CInt, CInt, UnsafeMutableRawPointer?) -> CInt
        refuse = { _, _, _, _ in -1 }
        defer { ERR_clear_error() }
        guard let raw = PEM_read_bio_PrivateKey(input, nil, refuse, nil) else { throw .notAPrivateKey }
        try self.init(KeyHandle(adopting: raw))
    }

    /// Reads a key in PEM, or its number in base64url, as tools for VAPID keys print it.
    package init(text: String) throws(CryptoError) {
        if let bytes = Base64URL.decode(text), bytes.count == Self.length {
            try self.init(bytes: bytes)
        } else {
            try self.init(pem: Array(text.utf8) + [UInt8(ascii: "\n")])
        }
    }

    /// Creates a key from its number, big-endian in 32 bytes.
    package init(bytes: [UInt8]) throws(CryptoError) {
        guard bytes.count == Self.length else {
            throw .wrongLength("a private key", expected: Self.length...Self.length, actual: bytes.count)
        }
        try self.init(KeyHandle(privateKey: bytes))
    }

    private init(_ handle: KeyHandle) throws(CryptoError) {
        self.handle = handle
        publicKey = try P256PublicKey(bytes: handle.publicBytes())
    }

    /// Returns the key's number, big-endian in 32 bytes, which is secret.
    package func bytes() throws(CryptoError) -> [UInt8] { try handle.privateBytes() }

    /// Returns the ES256 signature (RFC 7518 §3.4): r and s, 32 bytes each.
    package func signature(of message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        // The DER of two numbers of 32 bytes has 72 bytes at most.
        var length = 72
        var encoded = [UInt8](repeating: 0, count: length)
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, handle.raw) == 1,
            EVP_DigestSign(context, &encoded, &length, message, message.count) == 1,
            let signature = ECDSASignature.bytes(fromDER: Array(encoded.prefix(length)))
        else { throw .failed("EVP_DigestSign") }
        return signature
    }

    /// Returns the secret shared with the owner of the other key, 32 bytes, by ECDH (SEC 1, section 3.3.1).
    package func sharedSecret(with other: P256PublicKey) throws(CryptoError) -> [UInt8] {
        let peer = try KeyHandle(publicKey: other.bytes)
        let context = EVP_PKEY_CTX_new(handle.raw, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var length = 32
        var secret = [UInt8](repeating: 0, count: length)
        guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, peer.raw) == 1,
            EVP_PKEY_derive(context, &secret, &length) == 1, length == 32
        else { throw .failed("EVP_PKEY_derive") }
        return secret
    }
}
