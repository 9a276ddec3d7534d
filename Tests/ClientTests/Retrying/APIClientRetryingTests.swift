import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing

@testable import FlakyNetwork

@Suite("A client that tries again")
struct APIClientRetryingTests {
    private static let quick = RetryPolicy(attempts: 3, pause: .zero, total: .seconds(600))

    /// Returns a server that gives these answers in turn and then succeeds, and the number of its requests.
    private func server(_ answers: [HTTPResponse]) async throws -> (ScriptedServer, Lock<Int>) {
        let count = Lock(0)
        let answer: @Sendable () -> HTTPResponse = {
            let number = count.withLock { count in
                count += 1
                return count - 1
            }
            return number < answers.count ? answers[number] : .json(UserAnswer(user: Sample.user))
        }
        let server = try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.me) { _ in answer() }
            router.immediate(.patch, Routes.me) { _ in answer() }
        }
        return (server, count)
    }

    private static func busy(_ retryAfter: String) -> HTTPResponse {
        var response = HTTPResponse.problem(.unavailable, "Later.")
        response.headers.append("Retry-After", retryAfter)
        return response
    }

    @Test("gets its answer where the server is busy for a while")
    func busyServer() async throws {
        let (server, count) = try await server([Self.busy("0"), HTTPResponse(status: 502)])
        let api = try APIClient(server: Server(server.url), token: "t").retrying(Self.quick)
        #expect(try await api.me() == Sample.user)
        #expect(count.withLock { $0 } == 3)
        withExtendedLifetime(server) {}
    }

    @Test("goes on doing so with another token")
    func anotherToken() async throws {
        let (server, count) = try await server([Self.busy("0")])
        let api = try APIClient(server: Server(server.url)).retrying(Self.quick).authenticated(with: "t")
        #expect(try await api.me() == Sample.user)
        #expect(count.withLock { $0 } == 2)
        withExtendedLifetime(server) {}
    }

    @Test("does not come before the server wants it, and gives up where that is too late")
    func retryAfter() async throws {
        let (server, count) = try await server([Self.busy("601")])
        let api = try APIClient(server: Server(server.url), token: "t").retrying(Self.quick)
        await #expect(throws: ClientError.self) { try await api.me() }
        #expect(count.withLock { $0 } == 1)
        withExtendedLifetime(server) {}
    }

    @Test("repeats nothing that would take effect twice")
    func patch() async throws {
        let (server, count) = try await server([Self.busy("0")])
        let api = try APIClient(server: Server(server.url), token: "t").retrying(Self.quick)
        await #expect(throws: ClientError.self) { try await api.changeMe(UserPatch(name: "Ada")) }
        #expect(count.withLock { $0 } == 1)
        withExtendedLifetime(server) {}
    }

    @Test("tries once by default")
    func none() async throws {
        let (server, count) = try await server([Self.busy("0")])
        let api = try APIClient(server: Server(server.url), token: "t")
        await #expect(throws: ClientError.self) { try await api.me() }
        #expect(count.withLock { $0 } == 1)
        withExtendedLifetime(server) {}
    }

    @Test("works over a network that refuses every other connection")
    func flaky() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        let (server, _) = try await server([])
        var faults = Faults()
        faults.refusal = 0.5
        let network = try await FlakyTransport(to: Server(server.url), faults: faults, seed: seed)
        let policy = RetryPolicy(attempts: 100, pause: .zero, total: .seconds(600))
        let api = try APIClient(server: network.server, token: "t").retrying(policy)
        for _ in 0..<50 { #expect(try await api.me() == Sample.user, "seed \(seed)") }
        let counters = await network.counters
        #expect(counters.connections == 50 + counters.refused, "seed \(seed): \(counters)")
        #expect(counters.refused > 0, "seed \(seed)")
        withExtendedLifetime((server, network)) {}
    }
}
