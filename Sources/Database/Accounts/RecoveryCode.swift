import Crypto

/// A code that brings a person back into an account whose tokens are lost: 125 random bits, shown once and
/// stored hashed. It is made to be written down: 25 digits and letters, without those that look alike.
package struct RecoveryCode: Sendable {
    /// The digits of base 32 as Douglas Crockford chose them.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let length = 25
    private static let groupLength = 5

    private let digits: [UInt8]

    /// Makes the code of a derived secret.
    package init(derived secret: DerivedSecret) {
        digits = secret.codeBytes.prefix(Self.length).map { Self.alphabet[Int($0 & 31)] }
    }

    /// Makes a random code.
    package static func make() -> RecoveryCode {
        var random = SystemRandomNumberGenerator()
        return RecoveryCode(
            digits: (0..<length).map { _ in alphabet[Int(UInt8.random(in: 0..<32, using: &random))] })
    }

    private init(digits: [UInt8]) { self.digits = digits }

    /// Reads a code as people write it: in either case, with or without hyphens and spaces, with O for 0, and
    /// with I or L for 1. Returns nil for a text that cannot be a code, so that it costs no query.
    package init?(_ text: String) {
        var digits: [UInt8] = []
        for character in text.uppercased().utf8 {
            switch character {
            case UInt8(ascii: "-"), UInt8(ascii: " "): continue
            case UInt8(ascii: "O"): digits.append(UInt8(ascii: "0"))
            case UInt8(ascii: "I"), UInt8(ascii: "L"): digits.append(UInt8(ascii: "1"))
            default:
                guard Self.alphabet.contains(character) else { return nil }
                digits.append(character)
            }
            if digits.count > Self.length { return nil }
        }
        guard digits.count == Self.length else { return nil }
        self.digits = digits
    }

    /// The code in groups of five, as it is shown.
    package var text: String {
        stride(from: 0, to: digits.count, by: Self.groupLength).map { start in
            String(decoding: digits[start..<start + Self.groupLength], as: UTF8.self)
        }.joined(separator: "-")
    }

    /// The hash that is stored. The code is random in every bit, so a plain hash cannot be searched; what
    /// stands before it keeps it apart from tokens.
    package var hash: [UInt8] { Digest.sha256(Array("recovery code ".utf8) + digits) }
}
