import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing
import WebSocket

@Suite("The health of a connection")
struct HealthTests {
    private static var now: Timestamp { Timestamp(microseconds: WallClock.microseconds()) }

    @Test("suffers with the connection, says what can be done, and recovers with it")
    func transitions() async throws {
        let play = try await RoomPlay { part in
            part.send(Sample.handshake(now: Self.now))
            if part.number == 1 { part.connection.close(.serviceRestart) }
            if part.number == 2 { part.connection.close(CloseCode(rawValue: 4101)) }
            if part.number == 3 { part.connection.close(.policyViolation) }
        }
        let health = play.connection.healthChanges
        _ = await play.events()
        var changes: [Health] = []
        for await change in health { changes.append(change) }
        #expect(
            changes == [
                .healthy, .unhealthy(.serverRestarting), .healthy, .unhealthy(.slowNetwork), .healthy,
                .unhealthy(.notAMember),
            ])
    }

    @Test("says so where the clocks differ")
    func clock() async throws {
        let play = try await RoomPlay { $0.send(Sample.handshake(now: Self.now.adding(.seconds(400)))) }
        try await play.connection.waitUntilConnected()
        #expect(await play.connection.health == .unhealthy(.checkClock))
        await play.connection.stop()
    }

    @Test(
        "says what to do about a refusal",
        arguments: [
            (ProblemName.unauthenticated, Suggestion.signInAgain), (.gone, .roomIsOver),
            (.notFound, .notAMember), (.tooManyDevices, .leaveOnAnotherDevice),
            (.draining, .serverRestarting), (.unavailable, .serverOverloaded), (.internalError, .serverFault),
        ])
    func refusal(name: ProblemName, suggestion: Suggestion) async throws {
        let server = try await ScriptedServer(.get, Routes.socket) { _ in .problem(name, "No.") }
        let connection = try APIClient(server: Server(server.url)).connection(in: Sample.room)
        let health = connection.healthChanges
        await connection.start()
        #expect(await health.first { $0 != .healthy } == .unhealthy(suggestion))
        await connection.stop()
    }

    @Test("has suggestions with keys that are told apart, and a sentence each")
    func suggestions() {
        #expect(Set(Suggestion.allCases.map(\.text)).count == Suggestion.allCases.count)
        #expect(Suggestion.allCases.allSatisfy { $0.text.hasSuffix(".") })
    }

    @Test("is recovered by an attempt at once, and an attempt in vain says so")
    func recovery() async throws {
        let play = try await RoomPlay { part in
            part.send(Sample.handshake(now: Self.now))
            if part.number == 1 { part.connection.close(.serviceRestart, reason: "retryAfterMs=3600000") }
        }
        let connection = play.connection
        let states = connection.states
        await connection.start()
        _ = await states.first { if case .waiting = $0 { true } else { false } }
        #expect(await connection.attemptRecovery())
        #expect(await connection.health == .healthy)
        await connection.stop()
        #expect(await !connection.attemptRecovery())
    }
}
