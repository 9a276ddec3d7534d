/// Completions for zsh, made from the command tree.
enum ZshCompletions {
    static var script: String {
        let described = CommandTree.beginnings.map {
            Shell.quoted("\($0.word):\(escape($0.summary.local, ":"))")
        }
        let everywhere = Command.everywhere.flatMap(specifications)
        let cases = CommandTree.commands.filter { !CommandTree.groups.contains($0.name) }.map { command in
            let own = command.options.flatMap(specifications) + command.arguments.map(specification)
            let names = ([command.name] + command.aliases).map { "'\($0)'" }.joined(separator: "|")
            return "        \(names)) _arguments -S $everywhere \(own.joined(separator: " ")) ;;"
        }
        let groups = CommandTree.groups.map { group in
            let words = CommandTree.members(of: group).map(\.word).joined(separator: " ")
            let own = (CommandTree.command(named: group)?.options ?? []).flatMap(specifications)
            let options = own.map { " \($0)" }.joined()
            let names = [group] + CommandTree.otherGroups.filter { $0.value == group }.map(\.key)
            return "        \(names.joined(separator: "|"))) "
                + "_arguments -S $everywhere\(options) ':command:(\(words))' ;;"
        }
        return """
            #compdef letsswitch
            # Completions of zsh for letsswitch. Keep them as _letsswitch in a folder of $fpath, or try them:
            # source <(letsswitch completions zsh)
            # Offers what the server has now, with its meaning, of which nothing is evaluated.
            _letsswitch_live() {
                local -a words shown
                local line
                for line in ${(f)"$(letsswitch complete $1 2>/dev/null)"}; do
                    words+=("${line%%$'\\t'*}")
                    shown+=("${line//$'\\t'/  }")
                done
                ((${#words})) && compadd -l -d shown -a words
            }
            _letsswitch() {
                local curcontext=$curcontext state line
                typeset -A opt_args
                local -a everywhere commands
                everywhere=(
                    \(everywhere.joined(separator: "\n        "))
                )
                commands=(
                    \(described.joined(separator: "\n        "))
                    'help:Show the help of a command'
                )
                _arguments -C -S $everywhere ':command:->command' '*::argument:->arguments'
                case $state in
                command) _describe command commands ;;
                arguments)
                    if [[ $words[1] == (\(groupWords.joined(separator: "|"))) ]] && ((CURRENT > 2)) && \
                        [[ $words[2] != -* ]]; then
            \(renamed.joined(separator: "\n"))
                        words[1,2]=("$words[1] $words[2]")
                        ((CURRENT--))
                    fi
                    case $words[1] in
            \((groups + cases).joined(separator: "\n"))
                    help) _describe command commands ;;
                    esac
                    ;;
                esac
            }
            if [ "$funcstack[1]" = _letsswitch ]; then
                _letsswitch "$@"
            else
                compdef _letsswitch letsswitch
            fi

            """
    }

    private static var renamed: [String] {
        CommandTree.otherGroups.sorted { $0.key < $1.key }
            .map { "            [[ $words[1] != \($0.key) ]] || words[1]=\($0.value)" }
    }

    private static var groupWords: [String] { CommandTree.groups + CommandTree.otherGroups.keys.sorted() }

    /// Returns the option in the syntax of `_arguments`, for each spelling.
    private static func specifications(_ option: Command.Option) -> [String] {
        let spellings = [option.short.map { "-\($0)" }, "--\(option.name)"].compactMap(\.self)
        let others = option.isRepeatable ? "*" : "(\(spellings.joined(separator: " ")))"
        let value = option.value.map { "=[%]:\($0):\(action(option.completion))" } ?? "[%]"
        let parts = value.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        return spellings.map { spelling in
            Shell.quoted("\(others)\(spelling)\(parts[0])\(escape(option.meaning.local, "[]:"))\(parts[1])")
        }
    }

    private static func specification(_ argument: Command.Argument) -> String {
        let colons = argument.isOptional ? "::" : ":"
        return Shell.quoted("\(colons)\(argument.name):\(action(argument.completion))")
    }

    private static func action(_ completion: Command.Completion) -> String {
        switch completion {
        case .nothing: " "
        case .file: "_files"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .entries, .zones: "{_letsswitch_live \(completion.source ?? "")}"
        }
    }

    private static func escape(_ text: String, _ special: String) -> String {
        var escaped = ""
        for character in text {
            if character == "\\" || special.contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
        return escaped
    }
}
