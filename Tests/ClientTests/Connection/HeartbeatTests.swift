import ClientTesting
import Contract
import TestKit
import Testing

@testable import Client

@Suite("The heartbeat")
struct HeartbeatTests {
    @Test("asks at once and then at each interval, and measures the round trip")
    func asks() {
        var heartbeat = Heartbeat(interval: .seconds(1), now: .zero)
        #expect(heartbeat.tick(at: .zero) == .ping(1))
        heartbeat.heard(at: .milliseconds(30))
        #expect(heartbeat.answered(1, at: .milliseconds(30)) == .milliseconds(30))
        #expect(heartbeat.answered(1, at: .milliseconds(40)) == nil)
        #expect(heartbeat.tick(at: .milliseconds(999)) == .nothing)
        #expect(heartbeat.due == .seconds(1))
        #expect(heartbeat.tick(at: .seconds(1)) == .ping(2))
    }

    @Test("gives up after one and a half intervals of silence, and not before")
    func silence() {
        var heartbeat = Heartbeat(interval: .seconds(20), now: .zero)
        _ = heartbeat.tick(at: .zero)
        heartbeat.heard(at: .seconds(3))
        _ = heartbeat.answered(1, at: .seconds(3))
        #expect(heartbeat.tick(at: .seconds(20)) == .ping(2))
        #expect(heartbeat.due == .seconds(33))
        #expect(heartbeat.tick(at: .milliseconds(32_999)) == .nothing)
        #expect(heartbeat.tick(at: .seconds(33)) == .giveUp)
    }

    @Test("gives up where what we say does not arrive, though the server is heard")
    func oneWay() {
        var heartbeat = Heartbeat(interval: .seconds(20), now: .zero)
        _ = heartbeat.tick(at: .zero)
        for second in stride(from: 1, to: 30, by: 1) {
            heartbeat.heard(at: .seconds(second))
            #expect(heartbeat.tick(at: .seconds(second)) != .giveUp)
        }
        #expect(heartbeat.tick(at: .seconds(30)) == .giveUp)
    }

    @Test("gives a link half an interval to answer if it was not checked for long")
    func suspension() {
        var heartbeat = Heartbeat(interval: .seconds(20), now: .zero)
        _ = heartbeat.tick(at: .zero)
        #expect(heartbeat.tick(at: .seconds(500)) == .ping(2))
        #expect(heartbeat.due == .seconds(510))
        #expect(heartbeat.tick(at: .seconds(510)) == .giveUp)
    }

    @Test("has a link that may have gone prove that it is there")
    func check() {
        var heartbeat = Heartbeat(interval: .seconds(20), now: .zero)
        #expect(heartbeat.check(at: .seconds(1)) == .ping(1))
        #expect(heartbeat.due == .seconds(6))
        heartbeat.heard(at: .seconds(2))
        _ = heartbeat.answered(1, at: .seconds(2))
        #expect(heartbeat.tick(at: .seconds(6)) == .nothing)
    }

    @Test("finds a link that is half open within one and a half of the server's intervals")
    func halfOpen() async throws {
        let play = try await RoomPlay { part in
            part.send(Sample.handshake(pingSeconds: 1))
        }
        let connection = play.connection
        try await connection.waitUntilConnected()
        #expect(await connection.attemptRecovery(timeout: nil))
        #expect(await connection.counters.roundTripP50 != nil)
        await play.server.fallSilent()
        let states = connection.states
        play.clock.advance(by: .seconds(1))
        play.clock.advance(by: .milliseconds(499))
        #expect(await connection.state == .connected)
        play.clock.advance(by: .milliseconds(1))
        let waiting = await states.first { $0 != .connected }
        guard case .waiting = waiting else { throw TestError("\(String(describing: waiting))") }
        #expect(await connection.counters.errors == ["halfOpen": 1])
        play.server.speak()
        play.clock.advance(by: .seconds(1))
        try await connection.waitUntilConnected()
        #expect(await connection.counters.reconnects == 1)
        await connection.stop()
    }
}
