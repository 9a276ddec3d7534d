import Glibc
import TestKit
import Testing

@testable import letsswitch

@Suite("What shells and man know of the commands")
struct ShellTests {
    @Test("is complete: every command and every option")
    func complete() {
        for command in CommandTree.commands {
            let words = command.name.split(separator: " ").map(String.init)
            for place in words.indices {
                #expect(Self.words(words[..<place] + [""]).contains(words[place]), "\(command.name)")
            }
            for name in [command.name] + command.aliases {
                let options = Self.words(name.split(separator: " ").map(String.init) + ["-"])
                for option in command.allOptions {
                    #expect(options.contains("--\(option.name)"), "\(name)")
                    if let short = option.short { #expect(options.contains("-\(short)"), "\(name)") }
                }
            }
        }
    }

    @Test("is what comes after the value of an option, whatever it looks like, and after a mistake")
    func places() throws {
        #expect(Self.words(["--server", "http://x.example", "sl"]).contains("slots"))
        #expect(Self.words(["--unknown", "--pin=x", "cancel"]).isEmpty == false)
        let given = Self.words(["register", "x", "-q", "--at", "now", "--"])
        #expect(given.contains("--at") && !given.contains("--quiet") && !given.contains("-q"))
        for words in [["register", "--at", ""], ["register", "--", "x", "--at", "-"]] {
            guard case .values = Offers(words) else {
                Issue.record("\(words)")
                continue
            }
        }
        guard case .values(.entries(.registration), prefix: "") = Offers(["cancel", ""]) else {
            throw TestError("cancel takes a registration")
        }
        guard case .values(.zones, prefix: "--time-zone=") = Offers(["account", "--time-zone=Eu"]) else {
            throw TestError("a value follows the equals sign")
        }
        guard case .values(.nothing, prefix: "") = Offers(["cancel", "1", ""]) else {
            throw TestError("cancel takes one registration")
        }
    }

    private static func words(_ words: [String]) -> Set<String> {
        guard case .words(let offers) = Offers(words) else { return [] }
        return Set(offers.map(\.word))
    }

    /// The text before the tab key, and its possible completions.
    private static let completed = [
        ("letsswitch re", "register registrations recover"), ("letsswitch --no", ""),
        ("letsswitch join --js", "--json"), ("letsswitch help wh", "whoami"),
        ("letsswitch --server http://x.example re", "register registrations recover"),
        ("letsswitch wait --until ", "matched open connected"), ("letsswitch wait --un", "--until"),
        ("letsswitch completions ", "bash zsh fish"), ("letsswitch slots to", "today tomorrow"),
        ("letsswitch register Task --at n", "next now"),
        ("letsswitch login --token-file /etc/pass", "/etc/passwd*"),
        ("letsswitch signup --tim", "--time-zone --timeout"), ("letsswitch register --ver", "--version"),
        ("letsswitch account --na", "--name"),
        ("letsswitch account --name Bob --ti", "--time-zone --timeout"),
        ("letsswitch account ", "delete log-out show new-token recovery"),
        ("letsswitch account log-out --lo", "--local"), ("letsswitch account log-out --na", ""),
        ("letsswitch calendar a", "add"),
        ("letsswitch outcome ", "done partly not none"), ("letsswitch routines p", "pause"),
        ("letsswitch endpoint r", "remove rotate"),
        ("letsswitch slots sat", "saturday"), ("letsswitch his", "history"),
        ("letsswitch compl", "completions"), ("letsswitch signup --timeout ", ""),
        ("letsswitch end", "endpoints"), ("letsswitch endpoints r", "remove rotate"),
        ("letsswitch endpoints --js", "--json"), ("letsswitch endpoints add ", "webhook"),
        ("letsswitch endpoints add --ty", "--types"), ("letsswitch endpoints test --ty", ""),
        ("letsswitch endpoints add webhook http://x.example --types room.o", "room.opened"),
        ("letsswitch webhook ", "verify"), ("letsswitch webhook verify --sec", "--secret-file"),
        ("letsswitch to", "token"), ("letsswitch token ", "list new revoke renew recovery show"),
        ("letsswitch token renew --js", "--json"), ("letsswitch slots -q --qu", ""),
    ]

    @Test("completes in a real bash", arguments: completed)
    func bash(line: String, expected: String) async throws { try await expect(.bash, line, expected) }

    @Test("completes in a real fish", .enabled(if: ShellCompletion.isThere(.fish)), arguments: completed)
    func fish(line: String, expected: String) async throws { try await expect(.fish, line, expected) }

    @Test("completes in a real zsh", .enabled(if: ShellCompletion.isThere(.zsh)), arguments: completed)
    func zsh(line: String, expected: String) async throws { try await expect(.zsh, line, expected) }

    @Test(
        "completes a value behind the equals sign of its option",
        arguments: [Shell.zsh, .fish].filter(ShellCompletion.isThere))
    func equalsSign(shell: Shell) async throws {
        try await expect(shell, "letsswitch wait --until=o", "--until=open")
        try await expect(shell, "letsswitch login --token-file=/etc/pass", "--token-file=/etc/passwd*")
    }

    /// Expects the offers in any order, since each shell has its own.
    private func expect(_ shell: Shell, _ line: String, _ expected: String) async throws {
        let offered = Set(try await ShellCompletion.offers(shell, line))
        if expected.hasSuffix("*") {
            // Zsh offers the file's name without its folder.
            #expect(
                offered.contains { expected.dropLast().hasSuffix($0) || $0.hasPrefix(expected.dropLast()) })
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
        for command in CommandTree.commands {
            let name = command.name.replacing("-", with: "\\-")
            #expect(lines.contains(".SS \(name)"))
        }
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
        try await ShellCompletion.run(path, arguments, environment)
    }
}
