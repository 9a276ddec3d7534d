import Client
import ClientTesting
import Contract
import HTTPServer
import Testing
import WebSocket

@Suite("Messages of a room")
struct RoutingTests {
    @Test("reach the handlers of their type, in order, and what is not known is counted")
    func routes() async throws {
        let play = try await RoomPlay { part in
            part.send(Sample.handshake())
            for seq in [1, 2, 2, 3] { part.send(Sample.ale(Int64(seq))) }
            part.send(.unknown(type: "weather"))
            part.send(.presence(member: Sample.partner, present: true))
            part.connection.close(.normal)
        }
        let connection = play.connection
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        await connection.on(.ale) { line.yield("ale \($0.seq)") }
        await connection.on(.presence) { line.yield("presence \($0.present)") }
        let removed = await connection.on(.ale) { _ in line.yield("removed") }
        await connection.remove(removed)
        await connection.on(.unknown) { line.yield($0) }
        let messages = connection.messages
        await connection.start()
        var all: [ServerMessage] = []
        for await message in messages { all.append(message) }
        var heard: [String] = []
        for await line in lines {
            heard.append(line)
            if heard.count == 5 { break }
        }
        #expect(heard.filter { $0.hasPrefix("ale") } == ["ale 1", "ale 2", "ale 3"])
        #expect(Set(heard) == ["ale 1", "ale 2", "ale 3", "presence true", "weather"])
        #expect(all.count == 6)
        #expect(await connection.counters.unknownMessages == 1)
        #expect(await connection.counters.duplicates == 1)
    }
}
