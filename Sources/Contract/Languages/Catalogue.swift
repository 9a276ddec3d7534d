import Synchronization

/// The texts of a program in every language but English. They are gettext catalogues, which the tools of
/// translators open. The build embeds one for each language. A msgid is the English text; `{1}` in it is an
/// argument.
package final class Catalogue: Sendable {
    /// The texts of the service and of the client library.
    package static let service = Catalogue { language in
        switch language {
        case .english: ""
        case .german: Documents.service_de_po
        case .japanese: Documents.service_ja_po
        }
    }

    private let source: @Sendable (Language) -> String
    private let base: Catalogue?
    private let tables = Mutex<[Language: [String: String]]>([:])

    /// Makes a catalogue that reads the source of a language when a text in it is first needed. Texts that it
    /// does not have are looked up in the base.
    package init(base: Catalogue? = nil, source: @escaping @Sendable (Language) -> String) {
        (self.source, self.base) = (source, base)
    }

    /// Returns the text in that language, with its arguments as numbers; nil if there is none.
    package func pattern(for key: String, in language: Language) -> String? {
        let text = tables.withLock { tables in
            if tables[language] == nil {
                let entries = Self.entries(of: source(language)).map { ($0.key, $0.text) }
                tables[language] = Dictionary(entries) { first, _ in first }
            }
            return tables[language]?[key]
        }
        return text ?? base?.pattern(for: key, in: language)
    }

    struct Entry {
        var key = ""
        var text = ""
    }

    /// Returns the entries in the order of the file, without its header. It knows no contexts and no plural
    /// forms. It reads bytes: a command needs its texts at each start, and finding characters takes longer.
    static func entries(of source: String) -> [Entry] {
        var entries: [Entry] = []
        var isText = false
        for line in Array(source.utf8).split(separator: UInt8(ascii: "\n")) {
            if line.first == UInt8(ascii: "#") { continue }
            if line.starts(with: "msgid ".utf8) {
                entries.append(Entry())
                isText = false
            } else if line.starts(with: "msgstr ".utf8) {
                isText = true
            }
            guard let last = entries.indices.last else { continue }
            if isText { entries[last].text += unquoted(line) } else { entries[last].key += unquoted(line) }
        }
        return entries.filter { !$0.key.isEmpty }
    }

    /// Returns the content of the string on that line.
    private static func unquoted(_ line: ArraySlice<UInt8>) -> String {
        let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        var content = line.drop { $0 != quote }.dropFirst().dropLast()
        if content.contains(backslash) {
            var (bytes, isEscaped) = ([UInt8](), false)
            for byte in content {
                if byte == backslash, !isEscaped {
                    isEscaped = true
                    continue
                }
                bytes.append(isEscaped && byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
                isEscaped = false
            }
            content = bytes[...]
        }
        return String(decoding: content, as: UTF8.self)
    }
}
