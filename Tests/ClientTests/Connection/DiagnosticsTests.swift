import ClientTesting
import Contract
import HTTPServer
import Testing
import WebSocket

@testable import Client

@Suite("Diagnostics")
struct DiagnosticsTests {
    @Test("tell what happens, in order, from the start to the end")
    func order() async throws {
        let play = try await RoomPlay { part in
            guard let messageId = part.messageIdAfterHandshake() else { return }
            guard part.number > 1 else { return part.connection.close(.serviceRestart) }
            part.send(.unknown(type: "weather"))
            part.send(.ack(messageId: messageId, seq: 1))
            part.connection.close(.normal)
        }
        let diagnostics = play.connection.diagnostics
        _ = try await play.connection.send(.ale(), by: .liveElseQueued)
        _ = await play.events()
        var names: [String] = []
        for await diagnostic in diagnostics { names.append(diagnostic.event.name) }
        #expect(
            names == [
                "queued", "fallbackUsed", "activated", "reachabilityChanged", "healthChanged",
                "healthChanged",
                "deliveryFailed", "healthChanged", "sent", "queueFlushed", "deactivated",
            ])
        let counters = await play.connection.counters
        #expect(counters.reconnects == 1)
        #expect(counters.attempts == 2)
        #expect(counters.messagesOut == 2)
        #expect(counters.unknownMessages == 1)
        #expect(counters.errors["close:1012"] == 1)
        #expect(counters.bytesIn > 0 && counters.bytesOut > 0)
    }

    @Test("are lines of JSON")
    func json() throws {
        func line(_ event: Diagnostic.Event) throws -> String {
            String(decoding: try JSON.encode(Diagnostic(at: Sample.start, event)), as: UTF8.self)
        }
        let at = "\"at\":\"\(Sample.start)\""
        #expect(
            try line(.sent(type: "ale", duration: .milliseconds(3)))
                == "{\(at),\"event\":\"sent\",\"milliseconds\":3,\"type\":\"ale\"}")
        #expect(
            try line(.fallbackUsed(type: "ale", from: .live, to: .queue))
                == "{\(at),\"event\":\"fallbackUsed\",\"from\":\"live\",\"to\":\"queue\",\"type\":\"ale\"}")
        let health = try line(.healthChanged(.unhealthy(.checkClock)))
        #expect(health.contains("\"healthy\":false,\"suggestion\":\"check-clock\",\"text\":\""))
    }

    @Test("have the round trips' quantiles by nearest rank, of the latest alone")
    func quantiles() {
        var trips = RoundTrips()
        #expect(trips.quantile(0.5) == nil)
        for number in 1...100 { trips.add(.milliseconds(number)) }
        #expect(trips.quantile(0.5) == .milliseconds(50))
        #expect(trips.quantile(0.95) == .milliseconds(95))
        #expect(trips.quantile(0.99) == .milliseconds(99))
        for _ in 0..<RoundTrips.capacity { trips.add(.seconds(1)) }
        #expect(trips.quantile(0) == .seconds(1))
    }

    @Test("count so many kinds of errors, and the rest as others")
    func kinds() {
        var counters = ConnectionCounters()
        for number in 0..<1000 { counters.count("close:\(number)") }
        #expect(counters.errors.count == ConnectionCounters.maximumKinds + 1)
        #expect(counters.errors["other"] == 1000 - ConnectionCounters.maximumKinds)
    }
}
