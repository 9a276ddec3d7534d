import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Testing

@Suite("The calls about tokens")
struct APIClientTokenTests {
    private static let details = AccountToken(
        id: Sample.partner, name: "Bot", createdAt: Sample.start, expiresAt: Sample.start,
        prefix: "lsk_abcd", isMain: false, isCurrent: false)

    @Test("make one, list them, revoke it")
    func tokens() async throws {
        let details = Self.details
        let server = try await ScriptedServer { router, _ in
            router.immediate(.post, Routes.tokens) { request in
                (try? NewToken(bytes: request.body)) == NewToken(name: "Bot", expiresAt: Sample.start)
                    ? .json(IssuedToken(token: "lsk_secret", details: details), status: 201)
                    : .problem(.limitReached, "You have 20 tokens.")
            }
            router.immediate(.get, Routes.tokens) { _ in .json(AccountTokenList(tokens: [details])) }
            router.immediate(.delete, Routes.tokens + "/{id}") { request in
                request.parameters == [Sample.partner.description]
                    ? HTTPResponse(status: 204) : .problem(.notFound, "")
            }
        }
        let api = try APIClient(server: Server(server.url), token: "t")
        let made = try await api.makeToken(NewToken(name: "Bot", expiresAt: Sample.start))
        #expect(made == IssuedToken(token: "lsk_secret", details: details))
        let full = await #expect(throws: ClientError.self) { try await api.makeToken(NewToken(name: "B")) }
        #expect(full?.kind == "problem:limit-reached")
        #expect(try await api.tokens() == [details])
        try await api.revokeToken(Sample.partner)
        await #expect(throws: ClientError.self) { try await api.revokeToken(Sample.me) }
    }

    @Test("list the sessions of browsers, and end one")
    func sessions() async throws {
        let session = AccountSession(
            id: Sample.partner, createdAt: Sample.start, lastUsedAt: nil, expiresAt: Sample.start,
            isCurrent: false)
        let server = try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.sessions) { _ in .json(AccountSessionList(sessions: [session])) }
            router.immediate(.delete, Routes.sessions + "/{id}") { request in
                request.parameters == [Sample.partner.description]
                    ? HTTPResponse(status: 204) : .problem(.notFound, "")
            }
        }
        let api = try APIClient(server: Server(server.url), token: "t")
        #expect(try await api.sessions() == [session])
        try await api.endSession(Sample.partner)
        await #expect(throws: ClientError.self) { try await api.endSession(Sample.me) }
    }

    @Test("make a recovery code, and come back by it without a token")
    func recovery() async throws {
        let server = try await ScriptedServer { router, _ in
            router.immediate(.post, Routes.recoveryCode) { request in
                request.head.headers.first("authorization") == "Bearer t"
                    ? .json(IssuedRecoveryCode(recoveryCode: "A-B"), status: 201)
                    : .problem(.unauthenticated, "No.")
            }
            router.immediate(.post, Routes.recover) { request in
                (try? Recovery(bytes: request.body)) == Recovery(recoveryCode: "A-B")
                    ? .json(Recovered(token: "new", recoveryCode: "C-D"), status: 201)
                    : .problem(.unauthenticated, "No.")
            }
        }
        let api = try APIClient(server: Server(server.url), token: "t")
        #expect(try await api.makeRecoveryCode() == "A-B")
        let signedOut = api.authenticated(with: nil)
        #expect(try await signedOut.recover(with: "A-B") == Recovered(token: "new", recoveryCode: "C-D"))
        await #expect(throws: ClientError.self) { try await signedOut.recover(with: "X-Y") }
    }

    @Test("a sign-up at a server of an earlier version brings no recovery code")
    func earlierServer() async throws {
        let server = try await ScriptedServer(.post, Routes.users) { _ in
            .json(SignedUp(user: Sample.user, token: "t"), status: 201)
        }
        let signedUp = try await APIClient(server: Server(server.url)).signUp(NewUser(name: "Ann"))
        #expect(signedUp.recoveryCode == nil && signedUp.token == "t")
    }
}
