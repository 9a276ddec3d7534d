/// Completions for fish, made from the command tree.
enum FishCompletions {
    static var script: String {
        var lines = [
            "# Completions of fish for letsswitch. Keep them as",
            "# ~/.config/fish/completions/letsswitch.fish, or try them: letsswitch completions fish | source",
            "complete -c letsswitch -f",
        ]
        for command in CommandTree.commands {
            let word = "-a \(command.name) -d \(quoted(command.summary))"
            lines.append("complete -c letsswitch -n __fish_use_subcommand \(word)")
        }
        lines += Command.everywhere.map { "complete -c letsswitch \(option($0))" }
        for command in CommandTree.commands {
            let place = "complete -c letsswitch -n '__fish_seen_subcommand_from \(command.name)'"
            lines += command.options.map { "\(place) \(option($0))" }
            for argument in command.arguments {
                if let words = words(argument.completion) { lines.append("\(place) \(words)") }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func option(_ option: Command.Option) -> String {
        var parts = ["-l \(option.name)"]
        if let short = option.short { parts.append("-s \(short)") }
        if option.value != nil {
            switch option.completion {
            case .nothing: parts.append("-x")
            case .file: parts.append("-r -F")
            case .words: parts.append("-x \(words(option.completion) ?? "")")
            }
        }
        parts.append("-d \(quoted(option.meaning))")
        return parts.joined(separator: " ")
    }

    private static func words(_ completion: Command.Completion) -> String? {
        switch completion {
        case .nothing: nil
        case .file: "-F"
        case .words(let words): "-a \(quoted(words.joined(separator: " ")))"
        }
    }

    /// Fish takes a backslash in single quotes for an escape, before a quote and before itself.
    private static func quoted(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if character == "\\" || character == "'" { escaped.append("\\") }
            escaped.append(character)
        }
        return "'\(escaped)'"
    }
}
