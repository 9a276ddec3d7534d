import Contract

/// A line of the screen, of one style.
struct ScreenLine: Hashable, Sendable {
    /// A style, by its code (ECMA-48 §8.3.117).
    enum Style: String, Sendable {
        case plain = "0"
        case bold = "1"
        case dim = "2"
        case green = "32"
        case yellow = "33"

        func apply(to text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
    }

    var text: String
    var style = Style.plain

    /// Makes an empty line.
    init() { text = "" }

    /// Makes a line of data. It is generic, since the compiler would otherwise take a literal with a style
    /// for a `String`, though the initializer is disfavored.
    @_disfavoredOverload
    init(_ text: some StringProtocol, _ style: Style = .plain) {
        self.text = String(text)
        self.style = style
    }

    /// Makes a line of a text, in the language of the process.
    init(_ text: Text, _ style: Style = .plain) { self.init(text.local, style) }

    /// Returns the line in at most that many columns, with characters that can be shown.
    func fitted(_ columns: Int, _ charset: Charset) -> ScreenLine {
        let cut = TextWidth.cut(charset.show(text), columns)
        // The cut's own ellipsis has one column.
        return ScreenLine(charset == .ascii && cut.last == "…" ? cut.dropLast() + "~" : cut, style)
    }

    func bytes(hasColor: Bool) -> String {
        hasColor && style != .plain && !text.isEmpty ? style.apply(to: text) : text
    }
}
