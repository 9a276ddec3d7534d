import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import TestKit
import Testing

@Suite("Another token")
struct RenewTokenTests {
    /// The requests of the server and the actions of the client, in their order.
    private let events = Lock<[String]>([])

    private func note(_ event: String) { events.withLock { $0.append(event) } }

    /// Returns a server whose first answers to `POST /v1/me/token` are lost on the way.
    private func server(losing lost: Int) async throws -> ScriptedServer {
        let (events, count) = (events, Lock(0))
        return try await ScriptedServer { router, _ in
            router.immediate(.post, Routes.token) { _ in
                events.withLock { $0.append("asked") }
                let number = count.countUp()
                if number <= lost { return HTTPResponse(status: 502) }
                return .json(Token(token: "new \(number)"), status: 201)
            }
            router.immediate(.get, Routes.me) { request in
                events.withLock { $0.append(request.head.headers.first("authorization") ?? "") }
                return .json(UserAnswer(user: Sample.user))
            }
        }
    }

    @Test("is stored before it is used, and asked for again where the answer was lost")
    func order() async throws {
        let server = try await server(losing: 2)
        let policy = RetryPolicy(attempts: 3, pause: .zero, total: .seconds(600))
        let api = try APIClient(server: Server(server.url), token: "old").retrying(policy)
        let renewed = try await api.renewToken { note("stored \($0)") }
        #expect(renewed.token == "new 3")
        #expect(events.withLock { $0 } == ["asked", "asked", "asked", "stored new 3", "Bearer new 3"])
        withExtendedLifetime(server) {}
    }

    @Test("is not used where it cannot be stored")
    func unstored() async throws {
        struct Full: Error {}
        let server = try await server(losing: 0)
        let api = try APIClient(server: Server(server.url), token: "old")
        await #expect(throws: Full.self) { try await api.renewToken { _ in throw Full() } }
        #expect(events.withLock { $0 } == ["asked"])
        withExtendedLifetime(server) {}
    }
}
