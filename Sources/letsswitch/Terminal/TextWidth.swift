/// The number of columns of a terminal that a text takes.
enum TextWidth {
    static func of(_ text: String) -> Int { text.reduce(0) { $0 + columns($1) } }

    /// Returns the text in exactly that many columns: filled up with spaces, or cut, which an ellipsis shows.
    static func fit(_ text: String, _ width: Int) -> String {
        let own = of(text)
        if own <= width { return text + String(repeating: " ", count: width - own) }
        return cut(text, width) + String(repeating: " ", count: max(0, width - of(cut(text, width))))
    }

    /// Returns the text in at most that many columns.
    static func cut(_ text: String, _ width: Int) -> String {
        if of(text) <= width { return text }
        var result = ""
        var used = 0
        for character in text {
            let columns = columns(character)
            if used + columns > width - 1 { break }
            result.append(character)
            used += columns
        }
        return width > 0 ? result + "…" : ""
    }

    /// Returns the text in lines of at most that many columns, broken between words if that is possible. With
    /// more than `limit` lines the last one is the rest.
    static func wrap(_ text: String, _ width: Int, limit: Int) -> [String] {
        var lines: [String] = []
        var rest = text[...]
        while lines.count < limit - 1, width > 1, of(String(rest)) > width {
            var used = 0
            let end = rest.indices.first { index in
                used += columns(rest[index])
                return used > width
            }
            guard let end else { break }
            let space = rest[...end].lastIndex(of: " ").flatMap { $0 > rest.startIndex ? $0 : nil }
            lines.append(String(rest[..<(space ?? max(end, rest.index(after: rest.startIndex)))]))
            rest = rest[(space ?? max(end, rest.index(after: rest.startIndex)))...].drop { $0 == " " }
        }
        return lines + [String(rest)]
    }

    private static func columns(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return isWide(first) ? 2 : 1
        }
    }

    /// Whether a character is in a block that Unicode's East Asian Width calls wide, or is an emoji that is
    /// shown as a picture.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isEmojiPresentation { return true }
        return switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
