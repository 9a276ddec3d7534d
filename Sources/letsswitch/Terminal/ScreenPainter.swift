/// What to write so that the screen shows these lines: only those that have changed, in one piece.
struct ScreenPainter: Sendable {
    private let hasColor: Bool
    private var shown: [ScreenLine] = []
    private var isKnown = false

    init(hasColor: Bool) { self.hasColor = hasColor }

    /// Somebody else has drawn on the screen, or its size has changed: all of it is drawn next time.
    mutating func forget() { isKnown = false }

    /// Nothing where nothing has changed. Lines that are gone are cleared.
    mutating func paint(_ lines: [ScreenLine], columns: Int) -> String {
        var frame = ""
        if !isKnown { frame += "\u{1B}[0m\u{1B}[2J" }
        for (row, line) in lines.enumerated() where !isKnown || row >= shown.count || shown[row] != line {
            if !isKnown && line.text.isEmpty { continue }
            frame += "\u{1B}[\(row + 1);1H\(line.bytes(hasColor: hasColor))"
            // At the right edge the cursor waits on the last character, which would be cleared.
            if TextWidth.of(line.text) < columns { frame += "\u{1B}[K" }
        }
        if isKnown && shown.count > lines.count { frame += "\u{1B}[\(lines.count + 1);1H\u{1B}[J" }
        shown = lines
        isKnown = true
        // A terminal that knows the mode shows the frame at once.
        return frame.isEmpty ? "" : "\u{1B}[?2026h\(frame)\u{1B}[?2026l"
    }
}
