@testable import letsswitch

/// The screen of a terminal: as much of a VT100 and its successors as the commands and a shell need. A value:
/// bytes in, cells out.
struct TerminalScreen: Sendable {
    private(set) var columns: Int
    private(set) var rows: Int
    private(set) var isAlternate = false
    private(set) var isCursorShown = true
    /// The number of times that the whole screen was cleared at once.
    private(set) var clears = 0
    /// Whether any text had a colour or was bold.
    private(set) var hasStyles = false
    /// The number of times that the terminal was told to sound.
    private(set) var sounds = 0

    /// The characters; an empty one is the right half of a wide character.
    private var cells: [[String]]
    private var cursor = (row: 0, column: 0)
    private var other: (cells: [[String]], cursor: (row: Int, column: Int))?
    private var pending: [UInt8] = []

    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = Self.blank(columns, rows)
    }

    /// The lines without the blanks at their ends.
    var lines: [String] {
        cells.map { row in
            var line = row.joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    var text: String { lines.joined(separator: "\n") }

    mutating func resize(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = Self.resized(cells, columns, rows)
        if let other { self.other = (Self.resized(other.cells, columns, rows), other.cursor) }
        cursor = (min(cursor.row, rows - 1), min(cursor.column, columns - 1))
    }

    mutating func receive(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        var rest = pending[...]
        while let first = rest.first {
            let count: Int?
            if first == 0x1B {
                count = escape(rest)
            } else if first < 0x20 || first == 0x7F {
                control(first)
                count = 1
            } else {
                count = print(rest)
            }
            guard let count else { break }
            rest = rest.dropFirst(count)
        }
        pending = Array(rest)
    }

    // Input.

    private mutating func control(_ byte: UInt8) {
        switch byte {
        case 0x07: sounds += 1
        case 0x08: cursor.column = max(0, cursor.column - 1)
        case 0x0A: lineFeed()
        case 0x0D: cursor.column = 0
        default: break
        }
    }

    private mutating func lineFeed() {
        if cursor.row < rows - 1 {
            cursor.row += 1
        } else {
            cells.removeFirst()
            cells.append(Array(repeating: " ", count: columns))
        }
    }

    /// Prints text up to the next control character; returns nil when the end of a character is missing.
    private mutating func print(_ bytes: ArraySlice<UInt8>) -> Int? {
        let run = bytes.prefix { $0 >= 0x20 && $0 != 0x7F }
        var whole = run
        // An incomplete character waits for its rest.
        if let start = run.lastIndex(where: { $0 & 0xC0 != 0x80 }) {
            let length = run[start] < 0x80 ? 1 : run[start] < 0xE0 ? 2 : run[start] < 0xF0 ? 3 : 4
            if run.endIndex - start < length { whole = run[..<start] }
        }
        if whole.isEmpty { return nil }
        for character in String(decoding: whole, as: UTF8.self) { put(character) }
        return whole.count
    }

    private mutating func put(_ character: Character) {
        let width = TextWidth.of(String(character))
        if cursor.column + width > columns {
            cursor.column = 0
            lineFeed()
        }
        cells[cursor.row][cursor.column] = String(character)
        if width == 2 { cells[cursor.row][cursor.column + 1] = "" }
        cursor.column += width
    }

    /// Returns the length of the escape sequence; nil when its end is missing.
    private mutating func escape(_ bytes: ArraySlice<UInt8>) -> Int? {
        let body = bytes.dropFirst()
        guard let kind = body.first else { return nil }
        guard kind == UInt8(ascii: "[") else { return 2 }
        guard let end = body.dropFirst().firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
        let parameters = String(decoding: body[(body.startIndex + 1)..<end], as: UTF8.self)
        sequence(Character(Unicode.Scalar(bytes[end])), parameters)
        return end - bytes.startIndex + 1
    }

    private mutating func sequence(_ final: Character, _ parameters: String) {
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        switch final {
        case "H":
            let row = max(1, numbers.first ?? 1)
            let column = max(1, numbers.count > 1 ? numbers[1] : 1)
            cursor = (min(row, rows) - 1, min(column, columns) - 1)
        case "J": clear(fromCursor: numbers.first != 2)
        case "K":
            for column in min(cursor.column, columns - 1)..<columns { cells[cursor.row][column] = " " }
        case "h": mode(parameters, true)
        case "l": mode(parameters, false)
        case "m": if numbers.contains(where: { $0 != 0 }) { hasStyles = true }
        default: break
        }
    }

    private mutating func clear(fromCursor: Bool) {
        guard fromCursor else {
            clears += 1
            cells = Self.blank(columns, rows)
            return
        }
        for column in min(cursor.column, columns - 1)..<columns { cells[cursor.row][column] = " " }
        for row in (cursor.row + 1)..<max(rows, cursor.row + 1) {
            cells[row] = Array(repeating: " ", count: columns)
        }
    }

    private mutating func mode(_ name: String, _ isOn: Bool) {
        switch name {
        case "?25": isCursorShown = isOn
        case "?1049" where isOn != isAlternate:
            isAlternate = isOn
            if isOn {
                other = (cells, cursor)
                cells = Self.blank(columns, rows)
            } else if let other {
                (cells, cursor) = other
                self.other = nil
            }
        default: break
        }
    }

    private static func blank(_ columns: Int, _ rows: Int) -> [[String]] {
        Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    private static func resized(_ cells: [[String]], _ columns: Int, _ rows: Int) -> [[String]] {
        var resized = blank(columns, rows)
        for row in 0..<min(rows, cells.count) {
            for column in 0..<min(columns, cells[row].count) { resized[row][column] = cells[row][column] }
        }
        return resized
    }
}
