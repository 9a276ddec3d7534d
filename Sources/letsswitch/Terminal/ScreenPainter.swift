/// Finds the output that makes the screen show given lines: only those that have changed, in one piece.
struct ScreenPainter: Sendable {
    private let hasColor: Bool
    private var shown: [ScreenLine] = []
    private var isKnown = false

    init(hasColor: Bool) { self.hasColor = hasColor }

    /// Has all lines drawn the next time: another program has drawn on the screen, or its size has changed.
    mutating func forget() { isKnown = false }

    /// Returns the output for the lines; empty if nothing has changed. Lines that are gone are cleared.
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
        // A terminal that knows this mode, synchronized output, shows the frame at once.
        return frame.isEmpty ? "" : "\u{1B}[?2026h\(frame)\u{1B}[?2026l"
    }
}
