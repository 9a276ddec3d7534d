/// The settings of a session. Of a name that is set twice the last value counts, as in PostgreSQL.
struct SessionSettings: Equatable, Sendable {
    private(set) var names: [String] = []
    private var values: [String: String] = [:]

    subscript(name: String) -> String? { values[Self.canonical(name)] }

    /// The names and values in turn, as `set_config` takes them.
    var pairs: [String] { names.flatMap { [$0, values[$0] ?? ""] } }

    mutating func set(_ name: String, _ value: String) {
        let name = Self.canonical(name)
        if values.updateValue(value, forKey: name) == nil { names.append(name) }
    }

    /// Takes the settings out of libpq's parameter `options`, and returns the other flags of it.
    ///
    /// A setting is written `-c name=value`, `-cname=value` or `--name=value`. A backslash keeps the
    /// character after it.
    mutating func take(options: String) -> String {
        var rest: [String] = []
        var words = Self.words(of: options)[...]
        while let word = words.popFirst() {
            let isApart = word == "-c"
            let setting: String? =
                isApart
                ? words.popFirst()
                : word.hasPrefix("-c") || word.hasPrefix("--") ? String(word.dropFirst(2)) : nil
            guard let setting, let sign = setting.firstIndex(of: "=") else {
                rest += [word] + (isApart ? [setting].compactMap(\.self) : [])
                continue
            }
            set(String(setting[..<sign]), String(setting[setting.index(after: sign)...]))
        }
        return rest.map(Self.escaped).joined(separator: " ")
    }

    /// Returns the spelling by which PostgreSQL compares names.
    private static func canonical(_ name: String) -> String {
        String(name.lowercased().map { $0 == "-" ? "_" : $0 })
    }

    private static func words(of options: String) -> [String] {
        var words: [String] = []
        var word: String?
        var isEscaped = false
        for character in options {
            if isEscaped {
                word = (word ?? "") + [character]
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + [character]
            }
        }
        if let word { words.append(word) }
        return words
    }

    private static func escaped(_ word: String) -> String {
        String(word.flatMap { $0.isWhitespace || $0 == "\\" ? ["\\", $0] : [$0] })
    }
}
