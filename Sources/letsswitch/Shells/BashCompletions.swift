/// Completions for bash, 4 or later, made from the command tree.
enum BashCompletions {
    static var script: String {
        let names = CommandTree.beginnings.map(\.word).joined(separator: " ")
        let cases = CommandTree.commands.filter { !CommandTree.groups.contains($0.name) }.map { command in
            let options = spellings(command.allOptions)
            let names = ([command.name] + command.aliases).map { "'\($0)'" }.joined(separator: "|")
            return "        \(names)) options='\(options)'\(places(command)) ;;"
        }
        let groups = CommandTree.groups.map { group in
            let words = CommandTree.members(of: group).map(\.word).joined(separator: " ")
            let options = CommandTree.command(named: group)?.allOptions ?? Command.everywhere
            return "        \(group)) words='\(words)' options='\(spellings(options))' ;;"
        }
        return """
            # Completions of bash for letsswitch. Try them: source <(letsswitch completions bash)
            # Offers what the server has now. Several offers are listed with their meaning, of which nothing
            # is evaluated; what is inserted is the word alone.
            _letsswitch_live() {
                local line
                while IFS= read -r line; do
                    [[ $line != "$2"* ]] || COMPREPLY+=("$line")
                done < <(letsswitch complete "$1" 2>/dev/null)
                ((${#COMPREPLY[@]} > 1 && ${COMP_TYPE:-37} != 37 && ${COMP_TYPE:-37} != 42)) ||
                    COMPREPLY=("${COMPREPLY[@]%%$'\\t'*}")
                COMPREPLY=("${COMPREPLY[@]//$'\\t'/  }")
            }
            _letsswitch() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
                local command='' words='' options='' source='' place=0 index
                COMPREPLY=()
                for ((index = 1; index < COMP_CWORD; index++)); do
                    case ${COMP_WORDS[index]} in
                    \(valued.joined(separator: "|"))) ((index++)) ;;
                    -*) ;;
                    *)
                        command+="${command:+ }${COMP_WORDS[index]}"
            \(renamed.joined(separator: "\n"))
                        [[ $command == @(\(CommandTree.groups.joined(separator: "|"))) ]] || break
                        ;;
                    esac
                done
                for ((index++; index < COMP_CWORD; index++)); do
                    case ${COMP_WORDS[index]} in
                    \(valued.joined(separator: "|"))) ((index++)) ;;
                    -*) ;;
                    *) ((place++)) ;;
                    esac
                done
                case "$command $previous" in
            \(values.joined(separator: "\n"))
                esac
                case $command in
                    '') words='\(names) help' options='\(spellings(Command.everywhere))' ;;
                    help) words='\(names)' ;;
            \((groups + cases).joined(separator: "\n"))
                esac
                if [[ $current == -* ]]; then
                    words=$options
                elif [[ $source ]]; then
                    _letsswitch_live "$source" "$current"
                    return
                fi
                mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
            }
            complete -F _letsswitch letsswitch

            """
    }

    private static var renamed: [String] {
        CommandTree.otherGroups.sorted { $0.key < $1.key }
            .map { "            [[ $command != \($0.key) ]] || command=\($0.value)" }
    }

    private static var options: [Command.Option] {
        CommandTree.commands.flatMap(\.options) + Command.everywhere
    }

    /// The options that take a value, each once.
    private static var valued: [String] {
        Set(options.filter { $0.value != nil }.map { "--\($0.name)" }).sorted()
    }

    /// The completions for the values of options. Where commands differ on one, each has its own.
    private static var values: [String] {
        var actions: [String: [(commands: [String], action: String)]] = [:]
        for command in CommandTree.commands {
            for option in command.allOptions where option.value != nil {
                actions[option.name, default: []].append(
                    ([command.name] + command.aliases, action(option.completion)))
            }
        }
        return actions.sorted { $0.key < $1.key }.flatMap { name, uses in
            if Set(uses.map(\.action)).count == 1 { return ["        *' --\(name)') \(uses[0].action) ;;"] }
            return uses.map { commands, action in
                let patterns = commands.map { "'\($0) --\(name)'" }.joined(separator: "|")
                return "        \(patterns)) \(action) ;;"
            }
        }
    }

    private static func action(_ completion: Command.Completion) -> String {
        switch completion {
        case .nothing: "return"
        case .entries, .zones:
            "_letsswitch_live \(completion.source ?? "") \"$current\"; return"
        case .file:
            "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); return"
        case .words(let words):
            "mapfile -t COMPREPLY < <(compgen -W '\(words.joined(separator: " "))' -- \"$current\"); return"
        }
    }

    /// Returns what is offered for each argument of the command, by its place.
    private static func places(_ command: Command) -> String {
        let offers = command.arguments.enumerated().compactMap { place, argument -> String? in
            switch argument.completion {
            case .nothing, .file: nil
            case .words(let words): "\(place)) words='\(words.joined(separator: " "))' ;;"
            case .entries, .zones: "\(place)) source=\(argument.completion.source ?? "") ;;"
            }
        }
        return offers.isEmpty ? "" : "; case $place in \(offers.joined(separator: " ")) esac"
    }

    private static func spellings(_ options: [Command.Option]) -> String {
        options.flatMap { option in
            ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
        }.joined(separator: " ")
    }
}
