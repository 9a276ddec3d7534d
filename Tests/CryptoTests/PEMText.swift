import COpenSSL

/// Keys in the formats of files.
enum PEMText {
    static func key(curve: CInt) -> [UInt8] {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        let output = BIO_new(BIO_s_mem())
        defer { BIO_free(output) }
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, curve) == 1,
            EVP_PKEY_keygen(context, &key) == 1,
            PEM_write_bio_PrivateKey(output, key, nil, nil, 0, nil, nil) == 1
        else { preconditionFailure("OpenSSL makes no key") }
        defer { EVP_PKEY_free(key) }
        return Array(unsafeUninitializedCapacity: BIO_ctrl_pending(output)) { buffer, count in
            count = Int(BIO_read(output, buffer.baseAddress, CInt(buffer.count)))
        }
    }
}
