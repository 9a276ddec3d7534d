import ClientTesting
import Contract
import Glibc
import HTTP1
import HTTPServer
import Reactor
import Testing

@Suite("Output that cannot be written")
struct FailedOutputTests {
    private let process = CommandProcess()

    /// Makes a server that signs up, makes tokens and recovery codes, and counts the codes.
    private func serve(_ codes: Lock<Int> = Lock(0)) async throws -> ScriptedServer {
        try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.me) { _ in .json(UserAnswer(user: Sample.user)) }
            router.immediate(.post, Routes.users) { _ in
                .json(SignedUp(user: Sample.user, token: "new", recoveryCode: "AB-CD"), status: 201)
            }
            router.immediate(.post, Routes.recoveryCode) { _ in
                codes.withLock { $0 += 1 }
                return .json(IssuedRecoveryCode(recoveryCode: "EF-GH"), status: 201)
            }
            router.immediate(.post, Routes.tokens) { _ in
                let details = AccountToken(
                    id: Sample.partner, name: "Bot", createdAt: Sample.start, prefix: "lsk_abcd",
                    isMain: false, isCurrent: false)
                return .json(IssuedToken(token: "lsk_new", details: details), status: 201)
            }
        }
    }

    /// Runs the command in a shell, with a redirection behind it.
    private func run(
        _ words: String, _ redirection: String, _ server: ScriptedServer
    ) async throws -> CommandProcess.Outcome {
        let script = "exec '\(try Child.command())' \(words) \(redirection)"
        return try await shell(script, server)
    }

    private func shell(
        _ script: String, _ server: ScriptedServer, pipe: String = "--default-signal=PIPE"
    ) async throws -> CommandProcess.Outcome {
        try await process.run(
            path: "/usr/bin/env", [pipe, "/bin/bash", "-c", script],
            environment: [
                "LETSSWITCH_URL=\(server.url)", "XDG_CONFIG_HOME=\(process.home)", "TZ=UTC",
                "PATH=/usr/bin:/bin",
            ])
    }

    private var keptMode: mode_t? {
        var status = stat()
        return stat("\(process.home)/letsswitch/unshown", &status) == 0 ? status.st_mode & 0o777 : nil
    }

    @Test(
        "a recovery code that was not written is kept until account recovery has shown it",
        arguments: ["", "--json", "-q"])
    func recoveryCode(option: String) async throws {
        let codes = Lock(0)
        let server = try await serve(codes)
        let failed = try await run("signup Ann \(option)", ">/dev/full", server)
        #expect(failed.status == 1, "\(failed)")
        #expect(failed.errors.contains("Standard output cannot be written: No space left on device."))
        #expect(keptMode == 0o600)
        // It is kept as long as it has not been shown.
        #expect(try await run("account recovery", ">/dev/full", server).status == 1)
        let shown = try await run("account recovery -q", "", server)
        #expect(shown.status == 0 && shown.output == "AB-CD\n", "\(shown)")
        #expect(keptMode == nil && codes.withLock { $0 } == 0)
        #expect(try await run("account recovery -q", "", server).output == "EF-GH\n")
        #expect(keptMode == nil && codes.withLock { $0 } == 1)
    }

    @Test("a token that was not written is kept until token show has shown it")
    func token() async throws {
        let server = try await serve()
        #expect(try await run("signup Ann", "", server).status == 0)
        #expect(keptMode == nil)
        let failed = try await run("token new Bot", ">/dev/full", server)
        #expect(failed.status == 1 && failed.errors.contains("letsswitch token show"), "\(failed)")
        #expect(try await run("token show", ">/dev/full", server).status == 1)
        let shown = try await run("token show --json", "", server)
        let secret = try JSONValue.parse(Array(shown.output.utf8))["secrets"]?.array?.first
        #expect(secret?["secret"]?.string == "lsk_new" && secret?["subject"]?.string == "Bot", "\(shown)")
        #expect(keptMode == nil)
        let empty = try await run("token show", "", server)
        #expect(empty.status == 0 && empty.output == "Every secret has been shown.\n")
    }

    @Test("login leaves secrets that were not shown")
    func login() async throws {
        let server = try await serve()
        #expect(try await run("signup Ann", "", server).status == 0)
        #expect(try await run("token new Bot", ">/dev/full", server).status == 1)
        let refused = try await run("login --token-file -", "<<< another", server)
        #expect(refused.status == 5 && refused.errors.contains("letsswitch token show"), "\(refused)")
        #expect(keptMode == 0o600)
        #expect(try await run("token show", "", server).status == 0)
        #expect(try await run("login --token-file -", "<<< another", server).status == 0)
    }

    @Test("secrets that were not shown go with the account that they belong to")
    func otherAccount() async throws {
        let server = try await serve()
        #expect(try await run("signup Ann", ">/dev/full", server).status == 1)
        #expect(keptMode == 0o600)
        #expect(try await run("signup Ben --force", "", server).status == 0)
        #expect(keptMode == nil)
    }

    @Test(
        "any command that cannot write its result fails",
        arguments: ["--help", "man", "completions bash", "whoami", "whoami --json", "complete zones"])
    func anyCommand(words: String) async throws {
        let server = try await serve()
        try process.signIn()
        for redirection in [">/dev/full", ">&-"] {
            let outcome = try await run(words, redirection, server)
            #expect(outcome.status == 1, "\(outcome)")
            #expect(outcome.errors.contains("Standard output cannot be written"), "\(outcome)")
        }
    }

    @Test("a pipe without a reader ends the command as it ends others, and a secret stays")
    func brokenPipe() async throws {
        let server = try await serve()
        try process.signIn()
        let command = try Child.command()
        let script = "exec 3> >(exit 0); wait $!; '\(command)' token new Bot >&3; exit $?"
        let ended = try await shell(script, server)
        #expect(ended.status == 141, "\(ended)")
        #expect(ended.errors.contains("letsswitch token show") && keptMode == 0o600, "\(ended)")
        // A parent that ignores the signal gets an error.
        let ignored = try await shell(script, server, pipe: "--ignore-signal=PIPE")
        #expect(ignored.status == 1 && ignored.errors.contains("Broken pipe"), "\(ignored)")
    }

    @Test("an output that another process has made non-blocking gets all of a long result")
    func nonBlocking() async throws {
        let tokens = (0..<6_000).map { number in
            AccountToken(
                id: Sample.partner, name: "Token \(number)", createdAt: Sample.start, prefix: "lsk_abcd",
                isMain: false, isCurrent: false)
        }
        let list = AccountTokenList(tokens: tokens)
        let server = try await ScriptedServer(.get, Routes.tokens) { _ in .json(list) }
        try process.signIn()
        let outcome = try await process.run(
            path: try Child.command(), ["token", "list", "--json"],
            environment: ["LETSSWITCH_URL=\(server.url)", "XDG_CONFIG_HOME=\(process.home)", "TZ=UTC"],
            nonBlockingOutput: true)
        let shown = try JSONValue.parse(Array(outcome.output.utf8))["tokens"]?.array?.count
        #expect(outcome.status == 0 && shown == tokens.count, "\(outcome.errors)")
    }
}
