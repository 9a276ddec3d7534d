/// A text for people. Code writes it in English; the edge of the program translates it.
///
/// A literal is the English text and its key in the catalogue at once: `"No slot begins at \(time)."` has the
/// key `No slot begins at {1}.` Interpolated values are data and stay as they are, except for another `Text`,
/// which is translated too. A text that the catalogue does not have stays English.
public struct Text: Sendable {
    fileprivate enum Piece: Sendable {
        case words(String)
        case value(String)
        case text(Text)

        var isWords: Bool { if case .words = self { true } else { false } }
    }

    private var pieces: [Piece] = []

    /// Makes a text of data, which is the same in every language.
    public init(verbatim text: String) { pieces = [.value(text)] }

    /// Makes a text of an English sentence from a part of the program without translations. If the catalogue
    /// has the sentence, it is translated.
    package init(english text: String) { pieces = [.words(text)] }

    /// Makes a text of a pattern, in which `{1}` is the argument.
    package init(pattern: String, argument: Text) {
        let words = pattern.split(separator: "{1}", omittingEmptySubsequences: false)
        pieces = Array(
            words.map { $0.isEmpty ? [] : [Piece.words(String($0))] }.joined(separator: [.text(argument)]))
    }

    /// Makes a text of the sentences of a library without translations. Each string is the argument `{1}` of
    /// the one before it.
    package init(nesting sentences: some Collection<String>) {
        self =
            sentences.first.map { Text(pattern: $0, argument: Text(nesting: sentences.dropFirst())) } ?? ""
    }

    /// The first argument that is a text itself.
    var argument: Text? {
        for case .text(let argument) in pieces { return argument }
        return nil
    }

    /// The English text with its arguments as `{1}`, `{2}` and so on.
    package var key: String {
        var count = 0
        return pieces.reduce(into: "") { key, piece in
            switch piece {
            case .words(let words): key += words
            case .value, .text:
                count += 1
                key += "{\(count)}"
            }
        }
    }

    /// Reads the texts of the service, so that no request waits for that.
    package static func prepare() {
        for language in Language.allCases { _ = Catalogue.service.pattern(for: "", in: language) }
    }

    /// Returns the text in that language.
    package func said(in language: Language, by catalogue: Catalogue = .service) -> String {
        let said = pieces.map { piece in
            switch piece {
            case .words(let text), .value(let text): text
            case .text(let text): text.said(in: language, by: catalogue)
            }
        }
        guard language != .english, let pattern = catalogue.pattern(for: key, in: language) else {
            return said.joined()
        }
        return Self.fill(pattern, with: zip(pieces, said).filter { !$0.0.isWords }.map(\.1))
    }

    /// Returns the pattern with its arguments; a number without an argument stays as it is.
    private static func fill(_ pattern: String, with arguments: [String]) -> String {
        var result = ""
        var rest = pattern[...]
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            rest = rest[open...]
            guard let close = rest.firstIndex(of: "}"), let number = Int(rest[..<close].dropFirst()),
                number > 0, number <= arguments.count
            else {
                result.append(rest.removeFirst())
                continue
            }
            result += arguments[number - 1]
            rest = rest[close...].dropFirst()
        }
        return result + rest
    }

    /// Returns a text such as `25 or 50`; there is at least one word.
    package static func anyOf(_ words: [String]) -> Text {
        words.dropFirst().reduce(Text(verbatim: words.first ?? "")) { "\($0) or \($1)" }
    }

    package static func + (left: Text, right: Text) -> Text {
        var sum = left
        sum.pieces += right.pieces
        return sum
    }
}

extension Text: CustomStringConvertible {
    /// The text in English.
    public var description: String { said(in: .english) }
}

/// Two texts are equal if they are the same in English.
extension Text: Hashable {
    public static func == (left: Text, right: Text) -> Bool { left.description == right.description }

    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension Text: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) { self.init(english: text) }

    public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

    /// The interpolation of a literal: its words are translated, its values are not.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(2 * interpolationCount + 1)
        }

        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { pieces.append(.words(literal)) }
        }

        public mutating func appendInterpolation(_ text: Text) { pieces.append(.text(text)) }

        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            pieces.append(.value(value.description))
        }

        public mutating func appendInterpolation(_ error: any Error) {
            pieces.append(.value("\(error)"))
        }
    }
}

/// In JSON a text is a string: English when it is written, unchanged when it is read.
extension Text: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(verbatim: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
