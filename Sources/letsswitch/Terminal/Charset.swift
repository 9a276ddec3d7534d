/// The characters that the terminal can show, by the locale.
enum Charset: Sendable {
    case unicode, ascii

    /// The charset by the first of the variables that is set and not empty, as the C library chooses.
    static let current: Charset = {
        let variables = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { Environment[$0] }
        return Charset(locale: variables.first { !$0.isEmpty })
    }()

    /// Reads the name of a locale. Without one, the C library's own locale counts, which is ASCII.
    init(locale: String?) {
        let name = (locale ?? "").lowercased()
        self = name.contains("utf-8") || name.contains("utf8") ? .unicode : .ascii
    }

    /// Returns the text with characters that can be shown, in as many columns as `TextWidth` says, or fewer;
    /// only an ellipsis grows.
    func show(_ text: String) -> String {
        switch self {
        case .unicode: return text
        case .ascii:
            if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
            return text.map { $0.isASCII ? String($0) : Self.replacement($0) }.joined()
        }
    }

    private static func replacement(_ character: Character) -> String {
        switch character {
        case "–", "·": "-"
        case "…": "..."
        case "●": "*"
        case "○": "o"
        case "█": "#"
        default: "?"
        }
    }
}
