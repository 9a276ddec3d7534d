import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing

@Suite("Codes on the command line")
struct SignUpCodeCommandTests {
    /// A server whose sign-ups take the code `good` or the invite `friend`.
    private static func server(_ seen: Lock<[NewUser]>) async throws -> ScriptedServer {
        try await ScriptedServer { router, _ in
            router.immediate(.post, Routes.users) { request in
                guard let body = try? NewUser(bytes: request.body) else { return .problem(.invalid, "") }
                seen.withLock { $0.append(body) }
                if body.timeZone == "Mars/Base" {
                    let error = FieldError(pointer: "/timeZone", detail: "There is no such zone.")
                    return .problem(.invalid, "The body is wrong.", errors: [error])
                }
                guard body.code == "good" || body.invite == "friend" else {
                    return .problem(.signUpsClosed, "A sign-up needs a code.")
                }
                return .json(SignedUp(user: Sample.user, token: "new", recoveryCode: "AB"), status: 201)
            }
            router.immediate(.post, Routes.signIn) { request in
                guard (try? FirstSignIn(bytes: request.body))?.code == "ABCD-EFGH" else {
                    return .problem(.unauthenticated, "This code is unknown, used or expired.")
                }
                return .json(Recovered(token: "lsk_first", recoveryCode: "AB-CD"), status: 201)
            }
        }
    }

    private static func token(_ process: CommandProcess) -> String? {
        (try? SmallFile.read(process.tokenPath))?.split(separator: "\n").first.map(String.init)
    }

    @Test("signup sends a code or an invite, again without a zone that the server does not know")
    func signUp() async throws {
        let seen = Lock<[NewUser]>([])
        let server = try await Self.server(seen)
        let process = CommandProcess()
        let refused = try await process.run(["signup", "Ann"], server: server.url)
        #expect(refused.status != 0 && refused.errors.contains("A sign-up needs a code."), "\(refused)")
        #expect(seen.withLock { $0.last?.code == nil && $0.last?.invite == nil })
        let code = try await process.run(["signup", "Ann", "--code", "good"], server: server.url)
        #expect(code.status == 0, "\(code)")
        let zone = try await process.run(
            path: try Child.command(), ["signup", "Ann", "--force", "--code", "good"],
            environment: [
                "LETSSWITCH_URL=\(server.url)", "XDG_CONFIG_HOME=\(process.home)", "TZ=Mars/Base",
            ])
        #expect(zone.status == 0, "\(zone)")
        #expect(seen.withLock { $0.last?.code == "good" && $0.last?.timeZone == nil })
        let invite = try await process.run(
            ["signup", "Ann", "--force", "--invite", "https://switch.example.org/invites/friend"],
            server: server.url)
        #expect(invite.status == 0, "\(invite)")
        #expect(seen.withLock { $0.last?.invite == "friend" })
    }

    @Test("login by a sign-in code stores the token, and shows the recovery code")
    func logIn() async throws {
        let server = try await Self.server(Lock([]))
        let process = CommandProcess()
        let refused = try await process.run(["login", "--code", "0000"], server: server.url)
        #expect(refused.status != 0 && refused.errors.contains("used or expired"), "\(refused)")
        #expect(Self.token(process) == nil)
        let done = try await process.run(["login", "--code", "ABCD-EFGH"], server: server.url)
        #expect(done.status == 0 && done.output.contains("\nAB-CD\n"), "\(done)")
        #expect(Self.token(process) == "lsk_first")
        let second = try await process.run(["login", "--code", "ABCD-EFGH"], server: server.url)
        #expect(second.status != 0 && second.errors.contains("You are signed in already"), "\(second)")
        #expect(Self.token(process) == "lsk_first")
        let json = try await process.run(
            ["login", "--code", "ABCD-EFGH", "--json", "--force"], server: server.url)
        #expect(try JSONValue.parse(Array(json.output.utf8))["recoveryCode"]?.string == "AB-CD")
    }

    @Test("login takes either a token or a code", arguments: [[], ["--token-file", "-", "--code", "A"]])
    func usage(more: [String]) async throws {
        let server = try await Self.server(Lock([]))
        let wrong = try await CommandProcess().run(["login"] + more, server: server.url)
        #expect(
            wrong.status == 2 && wrong.errors.contains("Give one of --token-file and --code."), "\(wrong)")
    }
}
