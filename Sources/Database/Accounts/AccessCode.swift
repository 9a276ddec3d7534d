import Crypto

/// A code that lets a person in, made to be written down: random digits in base 32 as Douglas Crockford chose
/// it, without letters that look alike. It is shown once and stored hashed.
package struct AccessCode: Sendable {
    package enum Purpose: String, Sendable {
        /// It lets people make accounts.
        case signUp = "sign-up code"
        /// It lets the person sign in for the first time whose account an operator has made.
        case signIn = "sign-in code"
        /// It brings a person back into an account whose tokens are lost.
        case recovery = "recovery code"

        /// The number of digits, of five bits each, and of those in a group.
        fileprivate var lengths: (code: Int, group: Int) {
            switch self {
            case .signUp, .signIn: (16, 4)
            case .recovery: (25, 5)
            }
        }
    }

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    private let purpose: Purpose
    private let digits: [UInt8]

    /// Makes a random code.
    package init(for purpose: Purpose) { self.init([UInt8].random(purpose.lengths.code), for: purpose) }

    /// Makes the recovery code of a derived secret.
    package init(derived secret: DerivedSecret) { self.init(secret.codeBytes, for: .recovery) }

    private init(_ bytes: [UInt8], for purpose: Purpose) {
        self.purpose = purpose
        digits = bytes.prefix(purpose.lengths.code).map { Self.alphabet[Int($0 & 31)] }
    }

    /// Reads a code as people write it: in either case, with or without hyphens and spaces, with O for 0, and
    /// with I or L for 1. Returns nil for a text that cannot be a code, so that it costs no query.
    package init?(_ text: String, for purpose: Purpose) {
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
            if digits.count > purpose.lengths.code { return nil }
        }
        guard digits.count == purpose.lengths.code else { return nil }
        self.purpose = purpose
        self.digits = digits
    }

    /// The code in groups, as it is shown.
    package var text: String {
        let length = purpose.lengths.group
        return stride(from: 0, to: digits.count, by: length).map { start in
            String(decoding: digits[start..<min(start + length, digits.count)], as: UTF8.self)
        }.joined(separator: "-")
    }

    /// The hash that is stored. The code is random in every bit, so a plain hash cannot be searched; what
    /// stands before it keeps it apart from codes for another purpose, and from tokens.
    package var hash: [UInt8] { Digest.sha256(Array("\(purpose.rawValue) ".utf8) + digits) }
}
