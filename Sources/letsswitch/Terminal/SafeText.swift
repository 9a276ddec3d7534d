/// Text of other people, made safe for a terminal.
enum SafeText {
    /// Replaces characters that could move the cursor, change the terminal or turn the order of characters
    /// around: controls (C0, C1, DEL), line and paragraph separators, and format characters such as the
    /// overrides of direction. The joiners of emoji and of some scripts stay.
    static func escape(_ text: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { safe.append(isSafe(scalar) ? scalar : "\u{FFFD}") }
        return String(safe)
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
    }
}
