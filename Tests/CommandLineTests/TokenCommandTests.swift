import ClientTesting
import Contract
import Glibc
import HTTP1
import HTTPServer
import Reactor
import Testing

@testable import letsswitch

@Suite("The commands about tokens and the recovery code")
struct TokenCommandTests {
    private static func details(_ name: String, expiresAt: Timestamp? = nil) -> AccountToken {
        AccountToken(
            id: Sample.partner, name: name, createdAt: Sample.start, expiresAt: expiresAt,
            prefix: "lsk_abcd", isMain: false, isCurrent: false)
    }

    @Test("signup shows the recovery code and says to keep it; --json has it, -q only it")
    func signUp() async throws {
        let server = try await ScriptedServer(.post, Routes.users) { _ in
            let answer = SignedUp(user: Sample.user, token: "new", recoveryCode: "AB-CD")
            return .json(answer, status: 201)
        }
        let process = CommandProcess()
        let plain = try await process.run(["signup", "Ann"], server: server.url)
        #expect(plain.status == 0 && plain.output.contains("\nAB-CD\n"), "\(plain)")
        #expect(plain.output.contains("Write it down"))
        let json = try await process.run(["signup", "Ann", "--force", "--json"], server: server.url)
        #expect(try JSONValue.parse(Array(json.output.utf8))["recoveryCode"]?.string == "AB-CD")
        let quiet = try await process.run(["signup", "Ann", "--force", "-q"], server: server.url)
        #expect(quiet.output == "AB-CD\n")
    }

    @Test("token new prints the token, and takes a number of days; token list and token revoke follow")
    func tokens() async throws {
        let asked = Lock<[NewToken]>([])
        let server = try await ScriptedServer { router, _ in
            router.immediate(.post, Routes.tokens) { request in
                guard let body = try? NewToken(bytes: request.body) else { return .problem(.invalid, "") }
                asked.withLock { $0.append(body) }
                let details = Self.details(body.name, expiresAt: body.expiresAt)
                return .json(IssuedToken(token: "lsk_new", details: details), status: 201)
            }
            router.immediate(.get, Routes.tokens) { _ in
                let main = AccountToken(
                    id: Sample.me, name: nil, createdAt: Sample.start, prefix: nil, isMain: true,
                    isCurrent: true)
                return .json(AccountTokenList(tokens: [main, Self.details("Evil\u{1B}[31m")]))
            }
            router.immediate(.delete, Routes.tokens + "/{id}") { request in
                request.parameters == [Sample.partner.description]
                    ? HTTPResponse(status: 204) : .problem(.notFound, "Nothing of yours has that id.")
            }
        }
        let process = try CommandProcess.signedIn()
        let server0 = server.url
        let made = try await process.run(["token", "new", "Bot", "--days", "90"], server: server0)
        #expect(made.status == 0 && made.output.contains("\nlsk_new\n"), "\(made)")
        #expect(made.output.contains("letsswitch token revoke \(Sample.partner)"))
        #expect(try await process.run(["token", "new", "Bot", "-q"], server: server0).output == "lsk_new\n")
        let bodies = asked.withLock { $0 }
        let left = try #require(bodies[0].expiresAt).since(WallClock.now)
        #expect(left > .seconds(89 * 86_400) && left < .seconds(91 * 86_400))
        #expect(bodies[1].expiresAt == nil)
        for days in ["0", "3651", "soon", "-1"] {
            let refused = try await process.run(["token", "new", "Bot", "--days=\(days)"], server: server0)
            #expect(refused.status == 2 && refused.errors.contains("--days takes"), "\(refused)")
        }
        let list = try await process.run(["token", "list"], server: server0)
        #expect(list.status == 0 && list.output.contains("(main)") && list.output.contains("this one"))
        #expect(list.output.contains("lsk_abcd…") && !list.output.contains("\u{1B}"))
        #expect(try await process.run(["token", "revoke", "\(Sample.partner)"], server: server0).status == 0)
        #expect(try await process.run(["token", "revoke", "\(Sample.me)"], server: server0).status == 4)
        let noID = try await process.run(["token", "revoke", "7"], server: server0)
        #expect(noID.status == 2 && noID.errors.contains("token list"))
    }

    @Test("recover stores the new token and shows the next code; it replaces a token only with --force")
    func recover() async throws {
        let server = try await ScriptedServer { router, _ in
            router.immediate(.post, Routes.recover) { request in
                (try? Recovery(bytes: request.body)) == Recovery(recoveryCode: "AB-CD")
                    ? .json(Recovered(token: "found", recoveryCode: "EF-GH"), status: 201)
                    : .problem(.unauthenticated, "No account has this recovery code.")
            }
            router.immediate(.get, Routes.me) { request in
                request.head.headers.first("authorization") == "Bearer found"
                    ? .json(UserAnswer(user: Sample.user)) : .problem(.unauthenticated, "No.")
            }
            router.immediate(.post, Routes.recoveryCode) { _ in
                .json(IssuedRecoveryCode(recoveryCode: "IJ-KL"), status: 201)
            }
        }
        let process = CommandProcess()
        let wrong = try await process.run(["recover"], server: server.url, input: "no-code\n")
        #expect(wrong.status == 3)
        #expect(try await process.run(["recover"], server: server.url, input: "two words\n").status == 3)
        let back = try await process.run(["recover"], server: server.url, input: "AB-CD\n")
        #expect(back.status == 0 && back.output.contains("\nEF-GH\n"), "\(back)")
        #expect(try await process.run(["whoami"], server: server.url).status == 0)
        #expect(try await process.run(["recover"], server: server.url, input: "AB-CD\n").status == 5)
        let forced = try await process.run(
            ["recover", "--force", "--json"], server: server.url, input: "AB-CD\n")
        #expect(try JSONValue.parse(Array(forced.output.utf8))["recoveryCode"]?.string == "EF-GH")
        let code = try await process.run(["token", "recovery", "-q"], server: server.url)
        #expect(code.output == "IJ-KL\n")
    }
}
