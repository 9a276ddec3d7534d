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
        if let number = Int(text), (1...999).contains(number), text == String(number) {
            self = .number(number)
            return
        }
        let digits = text.lowercased().filter { $0 != "-" }
        let isHexadecimal = digits.allSatisfy { $0.isASCII && $0.isHexDigit }
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
