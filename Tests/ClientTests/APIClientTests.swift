import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Testing

@Suite("The calls of the service")
struct APIClientTests {
    @Test("send the token, and read the answer")
    func me() async throws {
        let server = try await ScriptedServer(.get, Routes.me) { request in
            request.head.headers.first("authorization") == "Bearer secret"
                ? .json(UserAnswer(user: Sample.user)) : .problem(.unauthenticated, "No.")
        }
        let api = try APIClient(server: Server(server.url), token: "secret")
        #expect(try await api.me() == Sample.user)
        let error = await #expect(throws: ClientError.self) {
            try await api.authenticated(with: "wrong").me()
        }
        #expect(error?.kind == "problem:unauthenticated")
    }

    @Test("go below the base path of the server")
    func basePath() async throws {
        let server = try await ScriptedServer(.get, "/base/v1/me") { _ in
            .json(UserAnswer(user: Sample.user))
        }
        let api = try APIClient(server: Server("\(server.url)/base"), token: "t")
        #expect(try await api.me() == Sample.user)
    }

    @Test("fail as unexpected where the answer is not the service's")
    func strange() async throws {
        let server = try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.me) { _ in HTTPResponse(status: 502, body: Array("oops".utf8)) }
            router.immediate(.get, Routes.rooms) { _ in HTTPResponse(status: 200, body: Array("{}".utf8)) }
        }
        let api = try APIClient(server: Server(server.url))
        for call in [{ _ = try await api.me() }, { _ = try await api.rooms() }]
            as [@Sendable () async throws -> Void]
        {
            let error = await #expect(throws: ClientError.self) { try await call() }
            #expect(error?.kind == "unexpected")
        }
    }

    @Test("fail in time where the server does not answer")
    func silence() async throws {
        let server = try await ScriptedServer { router, _ in
            router.task(.get, Routes.me) { _ in
                try? await Task.sleep(for: .seconds(600))
                return HTTPResponse(status: 204)
            }
        }
        let api = try APIClient(server: Server(server.url), timeout: .milliseconds(100))
        await #expect(throws: ClientError.timedOut) { try await api.me() }
    }

    @Test("end when their task is cancelled")
    func cancellation() async throws {
        let server = try await ScriptedServer { router, _ in
            router.task(.get, Routes.me) { _ in
                try? await Task.sleep(for: .seconds(600))
                return HTTPResponse(status: 204)
            }
        }
        let api = try APIClient(server: Server(server.url))
        let task = Task { try await api.me() }
        task.cancel()
        await #expect(throws: ClientError.cancelled) { try await task.value }
    }
}
