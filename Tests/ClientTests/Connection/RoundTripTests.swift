import Client
import ClientTesting
import Testing

@Suite("A round trip")
struct RoundTripTests {
    @Test("is measured each time it is asked for")
    func measured() async throws {
        let play = try await RoomPlay { part in if part.message == nil { part.send(Sample.handshake()) } }
        for _ in 0..<3 {
            let time = try await play.connection.roundTrip()
            #expect(await play.connection.latestRoundTrip == time)
        }
        #expect(await play.connection.counters.roundTripP50 != nil)
        await play.connection.stop()
    }

    @Test("is not measured where the connection is closed")
    func closed() async throws {
        let play = try await RoomPlay { part in if part.message == nil { part.send(Sample.handshake()) } }
        _ = try await play.connection.roundTrip()
        await play.connection.stop()
        await #expect(throws: ClientError.cancelled) { _ = try await play.connection.roundTrip() }
    }
}
