import Client
import Contract
import Glibc
import Postgres
import PostgresTesting
import Reactor
import Testing

@Suite("Draining a server full of people", .timeLimit(.minutes(10)))
struct DrainTests {
    @Test("spreads the hints, cuts no answer, closes what is idle, refuses who comes, and exits with 0")
    func crowd() async throws {
        // The sockets are not read, and answer no ping, while the others are opened.
        let settings = ["ROOM_SIZE": "64", "WORKERS": "2", "PING_SECONDS": "3600"]
        try await Stage.with(.openNow, settings) { stage in
            let server = try await stage.startOne()
            let sockets = try await Self.sockets(38, devices: 8, stage, server)
            let idle = try await Wire.connect(port: server.port)
            await idle.write("GET /livez HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try await idle.read()
            // One request is on its way when the end begins, and one has only begun.
            let slow = try await Wire.connect(port: server.port)
            let body = "{\"name\":\"Late\"}"
            await slow.write(
                "POST /v1/users HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                    + "Expect: 100-continue\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
            _ = try await slow.read()
            server.signal(SIGTERM)

            let (hints, others) = try await Self.ends(sockets)
            #expect(hints.count == 304, "\(others)")
            #expect(hints.allSatisfy { (200...5_000).contains($0) }, "\(hints)")
            #expect(Set(hints).count > 150, "they differ")
            for quarter in 0..<4 {
                let range = (200 + quarter * 1_200)..<(201 + (quarter + 1) * 1_200)
                #expect(hints.count { range.contains($0) } > 30, "each quarter of the range has its part")
            }
            #expect(try await idle.readAll().isEmpty)
            await #expect(throws: (any Error).self) { try await Wire.connect(port: server.port) }
            await slow.write(body)
            let answer = try await slow.readAll()
            #expect(answer.hasPrefix("HTTP/1.1 201") && answer.contains("\"Late\""), "\(answer)")
            #expect(await server.ending() == .exited(0), "\(server.log)")
        }
    }

    private static let owner = "SELECT owner IS NULL, term FROM rooms WHERE id::text = $1"

    @Test("leaves rooms that were never entered to the next process, which has them before any client knocks")
    func unvisited() async throws {
        try await Stage.with { stage in
            let server = try await stage.startOne()
            let (ada, bea, room) = try await SocketVersion2Tests.two(stage, server)
            let owner = {
                try await stage.database.withConnection { connection in
                    try await connection.query(Self.owner, ["\(room)"]).first?.decode(Bool.self, Int32.self)
                }
            }
            let first = try #require(try await owner())
            #expect(first == (false, 1))
            server.signal(SIGTERM)
            #expect(await server.ending() == .exited(0), "\(server.log)")
            let left = try #require(try await owner())
            #expect(left == (true, 1))
            let next = try await stage.startOne()
            let second = try #require(try await owner())
            #expect(second == (false, 2))
            let adas = try await RoomSocket.open(room, as: try ada.at(next))
            let beas = try await RoomSocket.open(room, as: try bea.at(next))
            await adas.cheer()
            _ = try await beas.skip(to: "aleResponse")
        }
    }

    /// Opens sockets of so many people in one room, each with that many devices.
    private static func sockets(
        _ people: Int, devices: Int, _ stage: Stage, _ server: ServerProcess
    ) async throws -> [RoomSocket] {
        let people = try await Person.crowd(people, on: server)
        let room = try await people[0].enter(stage.grid.openSlot).roomId
        var sockets = [try await RoomSocket.open(room, as: people[0])]
        for person in people.dropFirst() {
            #expect(try await person.enter(stage.grid.openSlot).roomId == room)
        }
        for (index, person) in people.enumerated() {
            for _ in 0..<(index == 0 ? devices - 1 : devices) {
                sockets.append(try await RoomSocket.open(room, as: person))
            }
        }
        return sockets
    }

    /// Returns the waits that the close frames ask for, in milliseconds, and the ends without one.
    private static func ends(_ sockets: [RoomSocket]) async throws -> ([Int], [RoomSocket.Frame]) {
        var (hints, others): ([Int], [RoomSocket.Frame]) = ([], [])
        for socket in sockets {
            let end = try await socket.close()
            if case .closed(1012, let reason) = end, let wait = RetryAfter.read(reason) {
                hints.append(Int(wait / .milliseconds(1)))
            } else {
                others.append(end)
            }
        }
        return (hints, others)
    }
}
