/// Completions for fish, made from the command tree.
enum FishCompletions {
    static var script: String {
        var lines = [
            "# Completions of fish for letsswitch. Keep them as",
            "# ~/.config/fish/completions/letsswitch.fish, or try them: letsswitch completions fish | source",
            functions,
            "complete -c letsswitch -f",
        ]
        let beginning = "complete -c letsswitch -n '__letsswitch_is"
        for (word, summary) in CommandTree.beginnings {
            lines.append("\(beginning) none help' -a \(word) -d \(quoted(summary.local))")
        }
        for group in CommandTree.groups {
            lines += CommandTree.members(of: group).map { word, summary in
                "\(beginning) \(group)' -a \(word) -d \(quoted(summary.local))"
            }
        }
        lines.append("\(beginning) none' -a help -d 'Show the help of a command'")
        lines += Command.everywhere.map { "complete -c letsswitch \(option($0))" }
        for command in CommandTree.commands {
            let names = ([command.name] + command.aliases).map { "\"\($0)\"" }.joined(separator: " ")
            let place = "\(beginning) \(names)'"
            lines += command.options.map { "\(place) \(option($0))" }
            for argument in command.arguments {
                if let words = words(argument.completion) { lines.append("\(place) \(words)") }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Two functions of fish: the first tells whether the command on the line is one of those given (`none`:
    /// there is none yet), since the one that fish has for that takes the value of an option for a command;
    /// the second prints what the server has now.
    private static var functions: String {
        let own = CommandTree.groups.flatMap { CommandTree.command(named: $0)?.options ?? [] }
        let valued = (Command.everywhere + own).filter { $0.value != nil }.map { "--\($0.name)" }
        let others = CommandTree.otherGroups.sorted { $0.key < $1.key }
            .map { "            test \"$command\" = \($0.key); and set command \($0.value)" }
            .joined(separator: "\n")
        return """
            function __letsswitch_is
                set -l words (commandline -opc)[2..-1]
                set -l skipped no
                set -l command
                for word in $words
                    if test $skipped = yes
                        set skipped no
                    else if contains -- $word \(valued.joined(separator: " "))
                        set skipped yes
                    else if not string match -q -- '-*' $word
                        set -a command $word
            \(others)
                        contains -- "$command" \(CommandTree.groups.joined(separator: " ")); or break
                    end
                end
                set -q command[1]; or set command none
                contains -- "$command" $argv
            end
            function __letsswitch_live
                command -q letsswitch; and letsswitch complete $argv 2>/dev/null
            end
            """
    }

    private static func option(_ option: Command.Option) -> String {
        var parts = ["-l \(option.name)"]
        if let short = option.short { parts.append("-s \(short)") }
        if option.value != nil {
            switch option.completion {
            case .nothing: parts.append("-x")
            case .file: parts.append("-r -F")
            case .words, .entries, .zones: parts.append("-x \(words(option.completion) ?? "")")
            }
        }
        parts.append("-d \(quoted(option.meaning.local))")
        return parts.joined(separator: " ")
    }

    private static func words(_ completion: Command.Completion) -> String? {
        switch completion {
        case .nothing: nil
        case .file: "-F"
        case .words(let words): "-a \(quoted(words.joined(separator: " ")))"
        case .entries, .zones: "-a \(quoted("(__letsswitch_live \(completion.source ?? ""))"))"
        }
    }

    /// Returns the text in single quotes, in which fish takes a backslash for an escape, before a quote and
    /// before itself.
    private static func quoted(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if character == "\\" || character == "'" { escaped.append("\\") }
            escaped.append(character)
        }
        return "'\(escaped)'"
    }
}
