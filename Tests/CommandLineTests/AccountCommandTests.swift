import ClientTesting
import Contract
import Glibc
import HTTP1
import HTTPServer
import Reactor
import Testing

@testable import letsswitch

@Suite("The command about the account", .timeLimit(.minutes(5)))
struct AccountCommandTests {
    /// An account named "Al <escape> ice", the tokens that it has, and the answer to their revocation.
    private struct Stage {
        let server: ScriptedServer
        let process = CommandProcess()
        let calls = Lock<[String]>([])

        init(tokens: Int = 2, main: Int = 1, _ revocation: ProblemName? = nil) async throws {
            let calls = calls
            var user = Sample.user
            user.name = "Al\u{1B}ice"
            let alice = user
            @Sendable func note(_ request: HTTPRequest) {
                let line =
                    "\(request.head.method.rawValue) \(request.head.target) "
                    + String(decoding: request.body, as: UTF8.self)
                calls.withLock { $0.append(line) }
            }
            server = try await ScriptedServer { router, _ in
                router.immediate(.get, Routes.me) { _ in .json(UserAnswer(user: alice)) }
                router.immediate(.patch, Routes.me) { request in
                    note(request)
                    guard let patch = try? UserPatch(bytes: request.body) else {
                        return .problem(.invalid, "No.")
                    }
                    var user = alice
                    user.name = patch.name ?? user.name
                    user.timeZone = patch.timeZone ?? user.timeZone
                    return .json(UserAnswer(user: user))
                }
                router.immediate(.delete, Routes.me) { request in
                    note(request)
                    return HTTPResponse(status: 204)
                }
                let list = (0..<tokens).map { index in
                    AccountToken(
                        id: Identifier(value: 70 + UInt128(index)), name: nil, createdAt: Sample.start,
                        prefix: nil, isMain: index == main, isCurrent: index == 0)
                }
                router.immediate(.get, Routes.tokens) { _ in .json(AccountTokenList(tokens: list)) }
                router.immediate(.delete, Routes.tokens + "/{id}") { request in
                    note(request)
                    return revocation.map { .problem($0, "It is the last one.") }
                        ?? HTTPResponse(status: 204)
                }
            }
            try process.signIn()
        }

        func run(_ arguments: String...) async throws -> CommandProcess.Outcome {
            try await process.run(arguments, server: server.url)
        }

        func terminal(_ arguments: String...) async throws -> TerminalSession {
            try await TerminalSession(
                Child.command(), arguments,
                ["LETSSWITCH_URL=\(server.url)", "XDG_CONFIG_HOME=\(process.home)", "LANG=C.UTF-8"])
        }

        var isSignedIn: Bool { access(process.tokenPath, F_OK) == 0 }
        var wrote: [String] { calls.withLock { $0 } }
    }

    @Test("shows the account, and changes name and time zone")
    func change() async throws {
        let stage = try await Stage()
        let shown = try await stage.run("account")
        #expect(shown.status == 0 && shown.output.contains("Name       Al\u{FFFD}ice\n"), "\(shown)")
        #expect(shown.output.contains(stage.process.tokenPath) && stage.wrote.isEmpty)
        let json = try await stage.run("account", "show", "--json")
        let whoAmI = try await stage.run("whoami", "--json")
        #expect(json.status == 0 && json.output == whoAmI.output)
        let changed = try await stage.run("account", "--name", "Bob", "--time-zone", "Asia/Tokyo")
        #expect(changed.status == 0 && changed.output.contains("Asia/Tokyo"), "\(changed)")
        #expect(stage.wrote == [#"PATCH /v1/me {"name":"Bob","timeZone":"Asia/Tokyo"}"#])
        #expect(try await stage.run("account", "--name").status == 2)
        #expect(try await stage.run("account", "Bob").status == 2)
    }

    @Test("log-out ends the token on the server and removes it here; --local only removes it")
    func logOut() async throws {
        let stage = try await Stage()
        let out = try await stage.run("account", "log-out")
        #expect(out.status == 0 && out.output.contains("You are logged out"), "\(out)")
        #expect(!stage.isSignedIn)
        #expect(stage.wrote == ["DELETE /v1/me/tokens/\(Identifier(value: 70)) "])
        #expect(try await stage.run("account", "log-out").status == 3)
        try stage.process.writeToken()
        let local = try await stage.run("account", "logout", "--local", "--json")
        #expect(local.status == 0 && local.output.contains("\"revoked\":false"), "\(local)")
        #expect(!stage.isSignedIn && stage.wrote.count == 1)
    }

    @Test("log-out keeps the token where the server keeps it, and drops one that has ended already")
    func lastWayIn() async throws {
        let last = try await Stage(.conflict)
        let refused = try await last.run("account", "log-out")
        #expect(refused.status == 5 && refused.errors.contains("letsswitch account recovery"), "\(refused)")
        #expect(last.isSignedIn)
        let ended = try await Stage(.unauthenticated)
        #expect(try await ended.run("account", "log-out").status == 0)
        #expect(!ended.isSignedIn)
    }

    @Test(
        "log-out asks before the last token or the main one ends, at a terminal, and takes --yes for it",
        arguments: [(1, 1), (2, 0)])
    func lastToken(_ tokens: Int, main: Int) async throws {
        let stage = try await Stage(tokens: tokens, main: main)
        let unasked = try await stage.run("account", "log-out")
        #expect(unasked.status == 2 && unasked.errors.contains("--yes"), "\(unasked)")
        let session = try await stage.terminal("account", "log-out")
        await session.wait(for: "Type yes to go on:")
        session.type("no\r")
        #expect(await session.end().status == 1)
        #expect(stage.isSignedIn && stage.wrote.isEmpty)
        #expect(try await stage.run("account", "log-out", "--yes").status == 0)
        #expect(!stage.isSignedIn && stage.wrote.count == 1)
    }

    @Test("delete asks for the name at a terminal, and for --yes elsewhere")
    func delete() async throws {
        let stage = try await Stage()
        let unasked = try await stage.run("account", "delete")
        #expect(unasked.status == 2 && unasked.errors.contains("Nothing was deleted."), "\(unasked)")
        for typed in ["al\u{1B}ice", "", "yes"] {
            let session = try await stage.terminal("account", "delete")
            let screen = await session.wait(for: "to go on:")
            #expect(screen.text.contains("Type Al\u{FFFD}ice to go on:"))
            session.type("\(typed)\r")
            #expect(await session.end().status == 1)
        }
        #expect(stage.isSignedIn && stage.wrote.isEmpty)
        let deleted = try await stage.run("account", "delete", "--yes", "--json")
        #expect(deleted.output == "{\"deleted\":true,\"id\":\"\(Sample.user.id)\"}\n", "\(deleted)")
        #expect(!stage.isSignedIn && stage.wrote == ["DELETE /v1/me "])
    }

    @Test("delete goes on once the name is typed, and removes what is kept beside the token")
    func deleteByName() async throws {
        let server = try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.me) { _ in .json(UserAnswer(user: Sample.user)) }
            router.immediate(.delete, Routes.me) { _ in HTTPResponse(status: 204) }
        }
        let process = try CommandProcess.signedIn()
        let list = "\(process.home)/letsswitch/last-list"
        #expect(PrivateFile.write(Array("{}".utf8), to: list))
        let session = try await TerminalSession(
            Child.command(), ["account", "delete"],
            ["LETSSWITCH_URL=\(server.url)", "XDG_CONFIG_HOME=\(process.home)"])
        await session.wait(for: "Type Alice to go on:")
        session.type("Alice\r")
        let (screen, status) = await session.end()
        #expect(status == 0 && screen.text.contains("The account is deleted"), "\(screen.text)")
        #expect(access(process.tokenPath, F_OK) != 0 && access(list, F_OK) != 0)
    }
}
