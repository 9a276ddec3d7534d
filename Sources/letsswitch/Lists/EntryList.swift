import Client
import Contract

/// A list of entries as a command prints it. On a terminal each has its number, by which other commands take
/// it; elsewhere it has its id, as programs want it.
struct EntryList {
    struct Row {
        let entry: ListEntry
        /// The columns. On a terminal the one with the id is left out.
        let cells: [String]
    }

    /// The width below which only the first column stays beside the number.
    private static let narrow = 60
    /// The most lines below a row.
    private static let belowLimit = 6

    private let console: Console
    private let hasNumbers: Bool

    /// Makes a list, and keeps it for the commands to come if it is printed on a terminal.
    init(_ kind: EntryKind, _ entries: [ListEntry], _ invocation: Invocation, _ api: APIClient) {
        console = invocation.console
        hasNumbers =
            console.isTerminal && !console.isJSON && !entries.isEmpty
            && invocation.entries(api)?.keepLast(entries, of: kind) == true
    }

    /// Prints a whole list: `answer` for programs; for people a table, and the advice on how to act on an
    /// entry, or `none` if the list is empty.
    static func show<Element>(
        _ kind: EntryKind, _ all: [Element], _ answer: some Encodable, _ invocation: Invocation,
        _ api: APIClient, none: Text? = nil, advice: Text, row: (Element) -> Row
    ) {
        let console = invocation.console
        console.json(answer)
        if all.isEmpty, let none { console.note(none) }
        show(kind, all.map(row), invocation, api)
        if !all.isEmpty { console.advise(advice) }
    }

    /// Prints the entries as a table.
    static func show(_ kind: EntryKind, _ rows: [Row], _ invocation: Invocation, _ api: APIClient) {
        EntryList(kind, rows.map(\.entry), invocation, api).print(rows)
    }

    /// Returns the word by which the entry at that place is named: its number or its id.
    func name(_ index: Int, _ entry: ListEntry) -> String {
        hasNumbers && index < EntryStore.limit ? "\(index + 1)" : entry.id.description
    }

    private func print(_ rows: [Row]) {
        guard hasNumbers else {
            for line in Table.lines(rows.map(\.cells)) { console.line(line) }
            return
        }
        let cells = rows.enumerated().map { index, row in
            let id = row.entry.id.description
            let isNumbered = index < EntryStore.limit
            return [isNumbered ? "\(index + 1)" : ""] + row.cells.filter { !isNumbered || $0 != id }
        }
        for line in Self.lines(cells, columns: TerminalMode.size.columns) { console.line(line) }
    }

    /// Returns rows as lines that fit a terminal: what has no room beside the rest of its row goes below it.
    static func lines(_ rows: [[String]], columns: Int) -> [String] {
        let all = Table.lines(withoutEmptyColumns(rows))
        let short = Table.lines(withoutEmptyColumns(rows.map { Array($0.dropLast()) }))
        return rows.indices.flatMap { index in
            if TextWidth.of(all[index]) <= columns { return [all[index]] }
            let indent = String(repeating: " ", count: (rows[index].first?.count ?? 0) + 2)
            let isNarrow = columns < narrow
            let head = isNarrow ? rows[index].prefix(2).joined(separator: "  ") : short[index]
            let rest = isNarrow ? Array(rows[index].dropFirst(2)) : rows[index].suffix(1)
            let text = rest.filter { !$0.isEmpty }.joined(separator: "  ")
            let width = max(1, columns - indent.count)
            let below = text.isEmpty ? [] : TextWidth.wrap(text, width, limit: belowLimit)
            return ([head] + below.map { indent + $0 }).map { TextWidth.cut($0, columns) }
        }
    }

    private static func withoutEmptyColumns(_ rows: [[String]]) -> [[String]] {
        let count = rows.map(\.count).max() ?? 0
        let kept = (0..<count).filter { column in
            rows.contains { column < $0.count && !$0[column].isEmpty }
        }
        return rows.map { row in kept.compactMap { $0 < row.count ? row[$0] : nil } }
    }
}
