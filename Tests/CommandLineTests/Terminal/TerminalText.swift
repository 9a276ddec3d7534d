/// Lines as a screen shows them.
enum TerminalText {
    /// Returns the line without the blanks at its end.
    static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
