import COpenSSL

/// OpenSSL's form of a key of the curve P-256, freed with this object.
///
/// Unchecked: nothing changes the key after the initialiser, and OpenSSL reads it from any thread.
final class KeyHandle: @unchecked Sendable {
    private static let curve = "prime256v1"

    let raw: OpaquePointer

    /// Adopts the key. Throws if it is not of the curve P-256, and frees it then too.
    init(adopting raw: OpaquePointer) throws(CryptoError) {
        self.raw = raw
        var name = [CChar](repeating: 0, count: 32)
        var length = 0
        guard
            EVP_PKEY_get_utf8_string_param(raw, OSSL_PKEY_PARAM_GROUP_NAME, &name, name.count, &length) == 1,
            String(decoding: name.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self) == Self.curve
        else { throw .notP256 }
    }

    static func generate() throws(CryptoError) -> KeyHandle {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var raw: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
            EVP_PKEY_keygen(context, &raw) == 1, let raw
        else { throw .failed("EVP_PKEY_keygen") }
        return try KeyHandle(adopting: raw)
    }

    /// Creates a public key. Throws if the bytes are not a point of the curve.
    convenience init(publicKey: [UInt8]) throws(CryptoError) {
        guard let raw = Self.make(publicKey: publicKey, privateKey: nil) else { throw .notAPoint }
        try self.init(adopting: raw)
    }

    /// Creates a private key. Throws if the number is zero, or not below the order of the curve.
    convenience init(privateKey: [UInt8]) throws(CryptoError) {
        let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
        defer { EC_GROUP_free(group) }
        let number = BN_bin2bn(privateKey, CInt(clamping: privateKey.count), nil)
        defer { BN_clear_free(number) }
        let point = EC_POINT_new(group)
        defer { EC_POINT_free(point) }
        var publicKey = [UInt8](repeating: 0, count: P256PublicKey.length)
        guard BN_is_zero(number) == 0, BN_cmp(number, EC_GROUP_get0_order(group)) < 0,
            EC_POINT_mul(group, point, number, nil, nil, nil) == 1,
            EC_POINT_point2oct(
                group, point, POINT_CONVERSION_UNCOMPRESSED, &publicKey, publicKey.count, nil)
                == publicKey.count,
            let raw = Self.make(publicKey: publicKey, privateKey: number)
        else { throw .notAPrivateKey }
        try self.init(adopting: raw)
    }

    deinit { EVP_PKEY_free(raw) }

    func publicBytes() throws(CryptoError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: P256PublicKey.length)
        var length = 0
        guard EVP_PKEY_get_octet_string_param(raw, OSSL_PKEY_PARAM_PUB_KEY, &bytes, bytes.count, &length) == 1
        else { throw .failed("EVP_PKEY_get_octet_string_param") }
        if length == bytes.count && bytes.first == 4 { return bytes }
        // A key file may hold the point in compressed form.
        let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
        defer { EC_GROUP_free(group) }
        let point = EC_POINT_new(group)
        defer { EC_POINT_free(point) }
        guard EC_POINT_oct2point(group, point, bytes, length, nil) == 1,
            EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, nil)
                == bytes.count
        else { throw .notAPoint }
        return bytes
    }

    func privateBytes() throws(CryptoError) -> [UInt8] {
        var number: OpaquePointer?
        var bytes = [UInt8](repeating: 0, count: P256PrivateKey.length)
        guard EVP_PKEY_get_bn_param(raw, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1 else {
            throw .failed("EVP_PKEY_get_bn_param")
        }
        defer { BN_clear_free(number) }
        guard BN_bn2binpad(number, &bytes, CInt(bytes.count)) == CInt(bytes.count) else {
            throw .failed("BN_bn2binpad")
        }
        return bytes
    }

    /// Creates a key of OpenSSL, which checks that the point is on the curve.
    private static func make(publicKey: [UInt8], privateKey: OpaquePointer?) -> OpaquePointer? {
        let builder = OSSL_PARAM_BLD_new()
        defer { OSSL_PARAM_BLD_free(builder) }
        defer { ERR_clear_error() }
        // The builder keeps both pointers until it makes the parameters, which happens within their scope.
        return curve.withCString { name in
            publicKey.withUnsafeBufferPointer { bytes in
                guard evp_push_group(builder, name) == 1,
                    evp_push_public_key(builder, bytes.baseAddress, bytes.count) == 1
                else { return nil }
                if let privateKey, evp_push_private_key(builder, privateKey) != 1 { return nil }
                return key(from: OSSL_PARAM_BLD_to_param(builder), isPrivate: privateKey != nil)
            }
        }
    }

    private static func key(
        from parameters: UnsafeMutablePointer<OSSL_PARAM>?, isPrivate: Bool
    ) -> OpaquePointer? {
        defer { OSSL_PARAM_free(parameters) }
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        let selection = isPrivate ? evp_key_pair_selection() : evp_public_key_selection()
        guard EVP_PKEY_fromdata_init(context) == 1,
            EVP_PKEY_fromdata(context, &key, selection, parameters) == 1
        else { return nil }
        return key
    }
}
