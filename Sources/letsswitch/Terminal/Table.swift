/// Rows whose columns line up.
enum Table {
    /// Returns the rows as lines; the last column is not filled up.
    static func lines(_ rows: [[String]]) -> [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { column < $0.count ? TextWidth.of($0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (index, cell) in row.enumerated() {
                line += index == row.count - 1 ? cell : TextWidth.fit(cell, widths[index]) + "  "
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
