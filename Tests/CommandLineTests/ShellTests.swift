import Glibc
import Testing

@testable import letsswitch

@Suite("What shells and man know of the commands")
struct ShellTests {
    @Test("is complete: every command and every option", arguments: Shell.allCases)
    func complete(shell: Shell) {
        let script = shell.completions
        for command in CommandTree.commands {
            for word in command.name.split(separator: " ") { #expect(script.contains(word)) }
            for option in command.allOptions {
                #expect(script.contains(shell == .fish ? "-l \(option.name) " : "--\(option.name)"))
            }
        }
    }

    /// The text before the tab key, and its possible completions.
    private static let completed = [
        ("letsswitch re", "register registrations recover"), ("letsswitch --no", ""),
        ("letsswitch join --js", "--json"), ("letsswitch help wh", "whoami"),
        ("letsswitch --server http://x.example re", "register registrations recover"),
        ("letsswitch completions ", "bash zsh fish"), ("letsswitch slots to", "today tomorrow"),
        ("letsswitch register Task --at n", "next now"),
        ("letsswitch login --token-file /etc/pass", "/etc/passwd*"),
        ("letsswitch signup --tim", "--time-zone --timeout"), ("letsswitch signup --timeout ", ""),
        ("letsswitch end", "endpoints"), ("letsswitch endpoints r", "remove rotate"),
        ("letsswitch endpoints --js", "--json"), ("letsswitch endpoints add ", "webhook"),
        ("letsswitch endpoints add --ty", "--types"), ("letsswitch endpoints test --ty", ""),
        ("letsswitch endpoints add webhook http://x.example --types room.o", "room.opened"),
        ("letsswitch webhook ", "verify"), ("letsswitch webhook verify --sec", "--secret-file"),
        ("letsswitch to", "token"), ("letsswitch token ", "list new revoke renew recovery"),
        ("letsswitch token renew --js", "--json"),
    ]

    @Test("completes in a real bash", arguments: completed)
    func bash(line: String, expected: String) async throws {
        let script = """
            source <("$COMMAND" completions bash)
            read -ra COMP_WORDS <<<"$LINE"
            [[ $LINE == *' ' ]] && COMP_WORDS+=('')
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            complete -p letsswitch >/dev/null && _letsswitch
            echo "${COMPREPLY[*]}"
            """
        let answer = try await run("/bin/bash", ["--norc", "-c", script], ["LINE=\(line)"])
        let text = answer.output.trimmed
        #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer.errors)")
        #expect(expected.hasSuffix("*") ? text.hasPrefix(String(expected.dropLast())) : text == expected)
    }

    @Test(
        "completes in a real fish",
        .enabled(if: access("/usr/bin/fish", X_OK) == 0, "fish is not installed"), arguments: completed)
    func fish(line: String, expected: String) async throws {
        let script = """
            "$COMMAND" completions fish | source
            complete -C"$LINE" | string split -f 1 \\t
            exit 0
            """
        let answer = try await run(
            "/usr/bin/fish", ["--no-config", "-c", script], ["LINE=\(line)", "HOME=/nonexistent"])
        expect(answer, expected)
    }

    /// Completes in zsh, which does so at a terminal only, one of its own making; the offers go to a file.
    @Test(
        "completes in a real zsh",
        .enabled(if: access("/usr/bin/zsh", X_OK) == 0, "zsh is not installed"), arguments: completed)
    func zsh(line: String, expected: String) async throws {
        let script = #"""
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
        expect(try await run("/usr/bin/zsh", ["-f", "-c", script], ["LINE=\(line)"]), expected)
    }

    /// Expects the offers in any order, since each shell has its own.
    private func expect(_ answer: CommandProcess.Outcome, _ expected: String) {
        let offered = Set(answer.output.split(separator: "\n").map(String.init))
        #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer.errors)")
        if expected.hasSuffix("*") {
            // Zsh offers the file's name without its folder.
            #expect(offered.contains { expected.dropLast().hasSuffix($0) }, "\(offered)")
        } else {
            #expect(offered == Set(expected.split(separator: " ").map(String.init)))
        }
    }

    @Test(
        "is what the shell takes for a script",
        arguments: [(Shell.bash, "/bin/bash"), (.zsh, "/usr/bin/zsh"), (.fish, "/usr/bin/fish")]
            .filter { access($0.1, X_OK) == 0 })
    func syntax(shell: Shell, path: String) async throws {
        let script = "\"$COMMAND\" completions \(shell.rawValue) | \"$SHELL_PATH\" -n"
        let answer = try await run(
            "/bin/bash", ["--norc", "-c", "set -o pipefail; \(script)"], ["SHELL_PATH=\(path)"])
        #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer.errors)")
    }

    @Test("has a manual page with every command, of lines that roff takes as they are meant")
    func manual() {
        let lines = ManualPage.roff.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first?.hasPrefix(".TH LETSSWITCH 1") == true)
        for command in CommandTree.commands { #expect(lines.contains(".SS \(command.name)")) }
        let requests = [".TH", ".SH", ".SS", ".TP", ".PP", ".RS", ".RE", ".nf", ".fi", ".B", ".I", ".RI"]
        for line in lines where line.hasPrefix(".") || line.hasPrefix("'") {
            #expect(requests.contains(String(line.prefix { $0 != " " })), "\(line)")
        }
        let isASCII = ManualPage.roff.allSatisfy(\.isASCII)
        #expect(isASCII)
    }

    @Test("has a manual page that groff does not warn of", .enabled(if: access("/usr/bin/groff", X_OK) == 0))
    func groff() async throws {
        let script = "\"$COMMAND\" man | groff -man -ww -Tascii -z"
        let answer = try await run("/bin/bash", ["--norc", "-c", "set -o pipefail; \(script)"], [])
        #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer.errors)")
    }

    private func run(
        _ path: String, _ arguments: [String], _ environment: [String]
    ) async throws -> CommandProcess.Outcome {
        let process = CommandProcess()
        let variables = ["COMMAND=\(try Child.command())", "PATH=/usr/bin:/bin"] + environment
        return try await process.run(path: path, arguments, environment: variables)
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
