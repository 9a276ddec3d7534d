/// The texts in all languages. Each entry is a block of lines: the English text, then the German after `de: `
/// and the Japanese after `ja: `. An argument is `{1}`, a line break within a text `\n`.
enum Catalogue {
    /// Returns the text in that language, with its arguments as numbers; nil if there is none.
    static func pattern(for key: String, in language: Language) -> String? { tables[language]?[key] }

    struct Entry {
        let key: String
        var translations: [Language: String] = [:]
        /// The lines that are no translation, or one for the second time.
        var faults: [String] = []
    }

    /// The entries in the order in which they are written.
    static let entries: [Entry] = sources.flatMap { entries(of: $0) }

    /// The words around the arguments in the errors of libraries and the outcomes of deliveries, the longest
    /// first.
    static let shapes: [[String]] = recognised.map { entry in
        entry.key.split(separator: /\{\d+\}/, omittingEmptySubsequences: false).map(String.init)
    }.filter { $0.count > 1 }.sorted { $0.joined().count > $1.joined().count }

    private static let recognised: [Entry] = [transport, flaws, deliveries].flatMap { entries(of: $0) }

    // By bytes, since all texts are read at each start, and to find characters takes longer.

    private static func entries(of source: String) -> [Entry] {
        Array(source.utf8).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .split { $0.isEmpty }.compactMap(read)
    }

    private static let tables: [Language: [String: String]] = entries.reduce(into: [:]) { tables, entry in
        for (language, text) in entry.translations { tables[language, default: [:]][entry.key] = text }
    }

    private static func read(_ lines: ArraySlice<ArraySlice<UInt8>>) -> Entry? {
        guard let first = lines.first else { return nil }
        var entry = Entry(key: unescaped(first))
        for line in lines.dropFirst() {
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            let rest = line[name.endIndex...]
            guard rest.starts(with: ": ".utf8), let language = Language(rawValue: text(name)),
                language != .english, entry.translations[language] == nil
            else {
                entry.faults.append(text(line))
                continue
            }
            entry.translations[language] = unescaped(rest.dropFirst(2))
        }
        return entry
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func unescaped(_ line: ArraySlice<UInt8>) -> String {
        line.contains(UInt8(ascii: "\\")) ? text(line).replacing("\\n", with: "\n") : text(line)
    }

    private static var sources: [String] {
        [
            slots, problemTitles, problemPages, bodies, members, accounts, sessions, pushes, commandAccounts,
            commandArguments, commandChecks, commandSlots, commandFailures, commandTimes, joining, waiting,
            client, helpOverview, helpAccounts, helpTokens, helpPrograms, helpRooms, helpRoutines, helpSlots,
            webhooks, transport, flaws, deliveries,
        ]
    }
}
