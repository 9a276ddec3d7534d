/// The languages that a request asks for by `Accept-Language` (RFC 9110 §12.5.4). Elements that break the
/// syntax are skipped, and are no error.
package struct AcceptLanguage: Sendable {
    /// The most elements that are read; those after them are ignored.
    private static let elements = 64

    /// The languages that are asked for, the best one first.
    private var wanted: [Language] = []
    /// The languages with a weight of zero: they are not acceptable.
    private var refused: Set<Language> = []

    /// Reads the values of all fields of that name.
    package init(_ fields: [String]) {
        var ranked: [(language: Language, weight: Int)] = []
        var left = Self.elements
        for field in fields where left > 0 {
            for element in field.utf8.split(separator: UInt8(ascii: ","), maxSplits: left) {
                left -= 1
                if left < 0 { break }
                guard let (range, weight) = Self.read(element) else { continue }
                if weight == 0 {
                    if let language = Language(rawValue: range) { refused.insert(language) }
                } else if let language = Self.lookUp(range) {
                    ranked.append((language, weight))
                }
            }
        }
        // Languages of equal weight keep the order in which the request names them.
        wanted = ranked.enumerated().sorted { left, right in
            (right.element.weight, left.offset) < (left.element.weight, right.offset)
        }.map(\.element.language)
    }

    /// Returns the language of the answer: the best one that is asked for, else the account's, else English.
    /// A `*` names no language, so the account's or English is chosen (RFC 4647 §3.4).
    package func choose(else account: Language?) -> Language {
        let choices = wanted + [account ?? .english, .english] + Language.allCases
        return choices.first { !refused.contains($0) } ?? .english
    }

    /// Looks up a language range (RFC 4647 §3.4). The tags of `Language` have one subtag each, so the first
    /// subtag of the range decides.
    private static func lookUp(_ range: String) -> Language? {
        Language(rawValue: String(range.prefix { $0 != "-" }))
    }

    /// Returns the range in lower case, and its weight in thousandths; nil if the syntax is wrong.
    private static func read(_ element: Substring.UTF8View) -> (String, Int)? {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let parts = element.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
            part in
            Array(part.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
        }
        guard parts.count <= 2, let range = parts.first, isRange(range) else { return nil }
        guard let weight = parts.count == 2 ? weight(parts[1]) : 1_000 else { return nil }
        return (String(decoding: range, as: UTF8.self).lowercased(), weight)
    }

    /// Returns whether the bytes are a basic language range (RFC 4647 §2.1): letters first, then letters and
    /// digits, up to eight in a subtag.
    private static func isRange(_ bytes: [UInt8]) -> Bool {
        if bytes == [UInt8(ascii: "*")] { return true }
        let subtags = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return subtags.enumerated().allSatisfy { index, subtag in
            (1...8).contains(subtag.count)
                && subtag.allSatisfy { isLetter($0) || (index > 0 && isDigit($0)) }
        }
    }

    /// Reads `q=0.8` (RFC 9110 §12.4.2): from zero to one, with three digits behind the point at most.
    private static func weight(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 3, bytes.count <= 7, bytes[0] | 0x20 == UInt8(ascii: "q"),
            bytes[1] == UInt8(ascii: "=")
        else { return nil }
        let (whole, rest) = (bytes[2], bytes[3...])
        guard whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1") else { return nil }
        let digits = rest.dropFirst()
        guard rest.isEmpty || rest.first == UInt8(ascii: "."), digits.allSatisfy(isDigit) else { return nil }
        var thousandths = Int(whole - UInt8(ascii: "0")) * 1_000
        for (digit, value) in zip(digits, [100, 10, 1]) { thousandths += Int(digit - 0x30) * value }
        return thousandths <= 1_000 ? thousandths : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
