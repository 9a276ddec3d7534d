/// An error of a key or a message. It contains no part of a secret.
package enum CryptoError: Error, Equatable, CustomStringConvertible {
    /// The text is not a private key in PEM (RFC 5958, RFC 7468).
    case notAPrivateKey
    /// The key is not one of the curve P-256 (FIPS 186-5).
    case notP256
    /// The bytes are not a point of the curve P-256, written uncompressed in 65 bytes (SEC 1, section 2.3.3).
    case notAPoint
    /// A value has the wrong number of bytes.
    case wrongLength(String, expected: ClosedRange<Int>, actual: Int)
    /// The text is not in base64.
    case notBase64(String)
    /// OpenSSL refused; this names the call.
    case failed(String)

    package var description: String {
        switch self {
        case .notAPrivateKey: "this is no private key in PEM (it begins with -----BEGIN PRIVATE KEY-----)"
        case .notP256: "the key is not one of the curve P-256"
        case .notAPoint: "the public key is no point of the curve P-256"
        case .wrongLength(let what, let expected, let actual):
            expected.lowerBound == expected.upperBound
                ? "\(what) has to have \(expected.lowerBound) bytes, and has \(actual)"
                : "\(what) has to have \(expected.lowerBound) to \(expected.upperBound) bytes, and has "
                    + "\(actual)"
        case .notBase64(let what): "\(what) is not in base64"
        case .failed(let call): "OpenSSL refuses \(call)"
        }
    }
}
