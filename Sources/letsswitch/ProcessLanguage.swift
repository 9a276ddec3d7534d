import Contract

/// The language of this process. A test binds another one for a while.
enum ProcessLanguage {
    /// By the locale, and English for programs.
    @TaskLocal static var current = chosen({ Environment[$0] }, arguments: CommandLine.arguments)

    /// Chooses the language. What programs read (`--json`) is English. So is all of it where the locale has
    /// no UTF-8, since letters would be missing.
    static func chosen(_ variable: (String) -> String?, arguments: [String]) -> Language {
        if arguments.contains("--json") { return .english }
        let values = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(variable).filter { !$0.isEmpty }
        guard Charset.current == .unicode, let locale = values.first else { return .english }
        return Language(locale: locale) ?? .english
    }
}

extension Text {
    /// The text in the language of this process.
    var local: String { said(in: ProcessLanguage.current, by: .command) }
}

extension Catalogue {
    /// The texts of the commands, and of what they are made from.
    static let command = Catalogue(base: .service) { language in
        switch language {
        case .english: ""
        case .german: Documents.command_de_po
        case .japanese: Documents.command_ja_po
        }
    }
}

/// Returns the text in the language of this process.
func local(_ text: Text) -> String { text.local }
