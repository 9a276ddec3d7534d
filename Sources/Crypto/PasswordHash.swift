import COpenSSL

/// A password as it is stored: scrypt (RFC 7914) with its salt and its parameters.
package struct PasswordHash: Hashable, Sendable {
    /// The work that a hash takes: memory of 128 × 2^cost × blockSize bytes.
    package struct Parameters: Hashable, Sendable {
        /// The exponent of two of the cost.
        package var cost: Int32
        package var blockSize: Int32
        package var parallelism: Int32

        /// 32 MiB, and about a tenth of a second.
        package static let standard = Parameters(cost: 15, blockSize: 8, parallelism: 1)

        package init(cost: Int32, blockSize: Int32, parallelism: Int32) {
            self.cost = cost
            self.blockSize = blockSize
            self.parallelism = parallelism
        }
    }

    package static let saltLength = 16
    package static let length = 32
    /// The most memory that a hash may take.
    private static let maximumMemory: UInt64 = 256 << 20

    package let salt: [UInt8]
    package let hash: [UInt8]
    package let parameters: Parameters

    /// Takes what was stored.
    package init(salt: [UInt8], hash: [UInt8], parameters: Parameters) {
        self.salt = salt
        self.hash = hash
        self.parameters = parameters
    }

    /// Hashes a password with a fresh salt. It blocks: call it on a thread of its own.
    package init(of password: String, parameters: Parameters = .standard) throws(CryptoError) {
        let salt = [UInt8].random(Self.saltLength)
        self.init(salt: salt, hash: try Self.derive(password, salt, parameters), parameters: parameters)
    }

    /// Whether this is the hash of the password. It blocks: call it on a thread of its own.
    package func isOf(_ password: String) throws(CryptoError) -> Bool {
        Digest.areEqual(try Self.derive(password, salt, parameters), hash)
    }

    static func derive(
        _ password: String, _ salt: [UInt8], _ parameters: Parameters, length: Int = PasswordHash.length
    ) throws(CryptoError) -> [UInt8] {
        let text = Array(password.utf8).map { CChar(bitPattern: $0) }
        var key = [UInt8](repeating: 0, count: length)
        let isDone = EVP_PBE_scrypt(
            text, text.count, salt, salt.count, UInt64(1) << UInt64(clamping: parameters.cost),
            UInt64(clamping: parameters.blockSize), UInt64(clamping: parameters.parallelism),
            Self.maximumMemory, &key, key.count)
        guard isDone == 1 else { throw CryptoError.failed("EVP_PBE_scrypt") }
        return key
    }
}
