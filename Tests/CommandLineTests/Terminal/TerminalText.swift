/// Lines as a screen has them.
enum TerminalText {
    /// Without the blanks at its end.
    static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
