import COpenSSL

/// The conversion between a signature's two forms: its two numbers concatenated (RFC 7518 §3.4), and the DER
/// that OpenSSL uses.
enum ECDSASignature {
    private static let half = 32

    static func bytes(fromDER encoded: [UInt8]) -> [UInt8]? {
        encoded.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            guard let signature = d2i_ECDSA_SIG(nil, &position, buffer.count) else { return nil }
            defer { ECDSA_SIG_free(signature) }
            var r = [UInt8](repeating: 0, count: half)
            var s = [UInt8](repeating: 0, count: half)
            guard BN_bn2binpad(ECDSA_SIG_get0_r(signature), &r, CInt(half)) == half,
                BN_bn2binpad(ECDSA_SIG_get0_s(signature), &s, CInt(half)) == half
            else { return nil }
            return r + s
        }
    }

    static func der(from bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count == 2 * half, let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        // The signature owns both numbers from here on.
        let r = BN_bin2bn(Array(bytes[..<half]), CInt(half), nil)
        let s = BN_bin2bn(Array(bytes[half...]), CInt(half), nil)
        guard ECDSA_SIG_set0(signature, r, s) == 1 else { return nil }
        let length = i2d_ECDSA_SIG(signature, nil)
        guard length > 0 else { return nil }
        return Array(unsafeUninitializedCapacity: Int(length)) { buffer, count in
            var position = buffer.baseAddress
            count = Int(i2d_ECDSA_SIG(signature, &position))
        }
    }
}
