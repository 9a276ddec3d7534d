import COpenSSL

/// A random key pair on the curve P-256.
///
/// Unchecked: nothing changes the key after the initialiser, and OpenSSL reads it from any thread.
package final class TestKey: @unchecked Sendable {
    /// OpenSSL's key; freed with this value.
    let raw: OpaquePointer

    package init() {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
            EVP_PKEY_keygen(context, &key) == 1, let key
        else { preconditionFailure("OpenSSL makes no key") }
        raw = key
    }

    deinit { EVP_PKEY_free(raw) }

    package var pem: [UInt8] {
        PEM.text { PEM_write_bio_PrivateKey($0, raw, nil, nil, 0, nil, nil) }
    }
}

enum PEM {
    /// Returns the output of one of OpenSSL's writers.
    static func text(_ write: (OpaquePointer?) -> CInt) -> [UInt8] {
        let output = BIO_new(BIO_s_mem())
        defer { BIO_free(output) }
        guard write(output) == 1 else { preconditionFailure("OpenSSL writes no PEM") }
        return Array(unsafeUninitializedCapacity: BIO_ctrl_pending(output)) { buffer, count in
            // Sound: it writes at most the buffer's length, and returns how much it wrote.
            count = Int(BIO_read(output, buffer.baseAddress, CInt(buffer.count)))
        }
    }
}
