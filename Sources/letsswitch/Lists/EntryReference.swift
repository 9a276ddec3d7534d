import Contract

/// A word that names an entry: its id, its number in the last list, or the beginning of its id.
enum EntryReference: Hashable, Sendable {
    case id(Identifier)
    case number(Int)
    /// Hexadecimal digits in lower case, without hyphens.
    case prefix(String)

    static let shortestPrefix = 4

    /// Reads a word. Up to three digits without a leading zero are a number; more are the beginning of an id.
    init?(_ text: String) {
        if let id = Identifier(text) {
            self = .id(id)
            return
        }
        let isNumber = (1...3).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "0")
        if isNumber, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) {
            self = .number(number)
            return
        }
        let digits = text.lowercased().filter { $0 != "-" }
        let isHexadecimal = digits.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
        }
        guard isHexadecimal, (Self.shortestPrefix...32).contains(digits.utf8.count), text.utf8.count <= 36
        else { return nil }
        self = .prefix(digits)
    }

    /// Whether the id begins so.
    static func matches(_ prefix: String, _ id: Identifier) -> Bool {
        id.description.filter { $0 != "-" }.hasPrefix(prefix)
    }
}

/// The entry that an argument names.
struct NamedEntry: Sendable {
    let id: Identifier
    /// A few words on it; nil where its whole id was given.
    let label: String?

    /// Text that goes behind a word such as "Cancelled".
    var suffix: String { label.map { ": \($0)" } ?? "" }
}
