import COpenSSL

/// AES-128-GCM (NIST SP 800-38D), with keys of 16 bytes and nonces of 12.
enum AES128GCM {
    static let tagLength = 16

    /// Returns the encrypted text and its tag.
    static func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8]) throws(CryptoError) -> [UInt8] {
        precondition(key.count == 16 && nonce.count == 12)
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        var sealed = [UInt8](repeating: 0, count: text.count)
        var tag = [UInt8](repeating: 0, count: tagLength)
        var length: CInt = 0
        var rest: CInt = 0
        // In this mode as many bytes come out as go in, and none is left for the end.
        guard EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce) == 1,
            EVP_EncryptUpdate(context, &sealed, &length, text, CInt(clamping: text.count)) == 1,
            EVP_EncryptFinal_ex(context, &tag, &rest) == 1, Int(length) == text.count, rest == 0,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(tagLength), &tag) == 1
        else { throw .failed("EVP_EncryptUpdate") }
        return sealed + tag
    }
}
