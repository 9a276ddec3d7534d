/// Random digits of a code that is made to be written down: base 32 as Douglas Crockford chose it, without
/// letters that look alike.
struct WrittenDigits: Sendable {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    let digits: [UInt8]

    /// Makes random digits of five bits each.
    init(count: Int) {
        var random = SystemRandomNumberGenerator()
        digits = (0..<count).map { _ in Self.alphabet[Int(UInt8.random(in: 0..<32, using: &random))] }
    }

    /// Makes digits of the first bytes.
    init(_ bytes: [UInt8], count: Int) {
        digits = bytes.prefix(count).map { Self.alphabet[Int($0 & 31)] }
    }

    /// Reads digits as people write them: in either case, with or without hyphens and spaces, with O for 0,
    /// and with I or L for 1. Returns nil for a text that cannot be a code, so that it costs no query.
    init?(_ text: String, count: Int) {
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
            if digits.count > count { return nil }
        }
        guard digits.count == count else { return nil }
        self.digits = digits
    }

    /// Returns the digits in groups of that many, as they are shown.
    func text(groupsOf length: Int) -> String {
        stride(from: 0, to: digits.count, by: length).map { start in
            String(decoding: digits[start..<min(start + length, digits.count)], as: UTF8.self)
        }.joined(separator: "-")
    }
}
