/// Codes of six digits that change every half minute (TOTP, RFC 6238, with SHA-1 as authenticators expect).
package struct OneTimeCode: Sendable {
    package static let secretLength = 20
    private static let stepSeconds: Int64 = 30
    private static let modulus: UInt32 = 1_000_000
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    package let secret: [UInt8]

    package init(secret: [UInt8]) { self.secret = secret }

    /// Makes a secret of 160 random bits.
    package static func make() -> OneTimeCode {
        OneTimeCode(secret: .random(secretLength))
    }

    /// Returns the number of the half minute in which an instant is, in seconds since 1970.
    package static func step(at seconds: Int64) -> Int64 { seconds / stepSeconds }

    /// Returns the code of a step, with its leading zeros.
    package func code(of step: Int64) -> String {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        let digest = Digest.hmacSHA1(counter, key: secret)
        let offset = Int(digest[19] & 0xF)
        let number = digest[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let digits = String(number % Self.modulus)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// Returns the step whose code this is, of the present one and its two neighbours; nil if it is none of
    /// them, or not later than `last`: no code is taken twice.
    package func step(of code: String, at seconds: Int64, after last: Int64) -> Int64? {
        let present = Self.step(at: seconds)
        return (present - 1...present + 1).first { step in
            step > last && Digest.areEqual(Array(self.code(of: step).utf8), Array(code.utf8))
        }
    }

    /// The address by which an authenticator takes the secret.
    package func address(of name: String) -> String {
        "otpauth://totp/Let%27s%20Switch:\(name)?secret=\(text)&issuer=Let%27s%20Switch"
    }

    /// The secret in base 32 (RFC 4648), without padding.
    package var text: String {
        var (text, bits, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        for byte in secret {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(Self.alphabet[Int(bits >> count & 31)])
            }
        }
        if count > 0 { text.append(Self.alphabet[Int(bits << (5 - count) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
