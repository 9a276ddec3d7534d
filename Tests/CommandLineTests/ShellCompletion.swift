import Glibc
import Testing

@testable import letsswitch

/// The offers of the tab key in real shells that have read the completions of the built command.
enum ShellCompletion {
    private static func path(_ shell: Shell) -> String {
        switch shell {
        case .bash: "/bin/bash"
        case .zsh: "/usr/bin/zsh"
        case .fish: "/usr/bin/fish"
        }
    }

    static func isThere(_ shell: Shell) -> Bool { access(path(shell), X_OK) == 0 }

    /// Returns the offers for a line that ends where the key is pressed.
    static func offers(_ shell: Shell, _ line: String, _ environment: [String] = []) async throws -> [String]
    {
        let arguments =
            switch shell {
            case .bash: ["--norc", "-c", bash]
            case .zsh: ["-f", "-c", zsh]
            case .fish: ["--no-config", "-c", fish]
            }
        // The files that fish keeps of its own go nowhere.
        let answer = try await run(
            path(shell), arguments, ["LINE=\(line)", "HOME=/nonexistent"] + environment)
        #expect(answer.status == 0 && answer.errors.isEmpty, "\(shell): \(answer.errors)")
        return answer.output.split(separator: "\n").map(String.init)
    }

    /// Runs a program that finds the command by its name, and in a variable.
    static func run(
        _ path: String, _ arguments: [String], _ environment: [String]
    ) async throws -> CommandProcess.Outcome {
        let command = try Child.command()
        let folder = command[..<(command.lastIndex(of: "/") ?? command.startIndex)]
        return try await CommandProcess().run(
            path: path, arguments,
            environment: ["COMMAND=\(command)", "PATH=\(folder):/usr/bin:/bin"] + environment)
    }

    private static let bash = """
        source <("$COMMAND" completions bash)
        read -ra COMP_WORDS <<<"$LINE"
        [[ $LINE == *' ' ]] && COMP_WORDS+=('')
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        complete -p letsswitch >/dev/null && _letsswitch
        ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
        """

    private static let fish = """
        "$COMMAND" completions fish | source
        complete -C"$LINE" | string split -f 1 \\t
        exit 0
        """

    /// Zsh completes at a terminal only, one of its own making; the offers go to a file.
    private static let zsh = #"""
        zmodload zsh/zpty
        folder=$(mktemp -d)
        "$COMMAND" completions zsh >$folder/_letsswitch
        cat >$folder/setup <<'SETUP'
        fpath=($FOLDER $fpath)
        autoload -Uz compinit
        compinit -u -D
        compadd() {
            local -a hits
            if [[ " $* " != *" -"[OAD]" "* ]]; then
                builtin compadd -A hits "$@"
                print -rl -- $hits >>$FOLDER/hits
            fi
            builtin compadd "$@"
        }
        complete() { zle complete-word; print THE''END }
        zle -N complete
        bindkey '^I' complete
        print THE''BEGINNING
        SETUP
        export FOLDER=$folder TERM=dumb
        zpty shell zsh -f -i
        zpty -w shell 'source $FOLDER/setup'
        zpty -r shell answer '*THEBEGINNING*'
        zpty -w -n shell "$LINE"$'	'
        zpty -r shell answer '*THEEND*'
        [[ ! -e $folder/hits ]] || grep . $folder/hits
        zpty -d shell
        rm -r $folder
        """#
}
