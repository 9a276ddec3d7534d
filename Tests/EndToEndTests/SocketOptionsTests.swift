import Client
import Contract
import HTTP1
import Testing
import WebSocket

@Suite("Options in the address of a socket", .timeLimit(.minutes(5)))
struct SocketOptionsTests {
    private static let bad = [
        "ping=4", "ping=61", "ping=", "ping=abc", "ping=5.5", "ping=-20", "ping=+20", "ping=20&ping=20",
        "ping=99999999999999999999", "merge=2", "merge=", "merge=true", "merge=1&merge=1",
    ]

    @Test("that make no sense are refused before the upgrade, by ticket and by token, and named")
    func refused() async throws {
        try await Stage.withPerson { stage, server, ada in
            let details = try await ada.enter(stage.grid.openSlot)
            let ticket = String(try #require(details.socketUrl.split(separator: "token=").last))
            for item in Self.bad {
                for entry in ["&token=\(ticket)", ""] {
                    let target = "/socket?id=\(details.roomId)&\(item)\(entry)"
                    do {
                        _ = try await RoomSocket.open(
                            target, port: server.port,
                            headers: entry.isEmpty ? ["Authorization": "Bearer \(ada.token)"] : [:])
                        Issue.record("\(item) is accepted")
                    } catch let error as RoomSocket.APIError {
                        #expect(error.status == 400, "\(item)")
                        let name = String(item.prefix { $0 != "=" })
                        #expect(error.problem.detail.contains("query parameter \(name)"), "\(item)")
                    }
                }
            }
        }
    }

    @Test("ask for another interval of pings, in either version, at any server", arguments: [1, 2])
    func ping(version: Int) async throws {
        // The servers' own pings do not come while the test waits for one.
        try await Stage.with(.openNow, ["PING_SECONDS": "300"]) { stage in
            let servers = [try await stage.startOne(), try await stage.startOne()]
            let ada = try await Person(named: "Ada", on: servers[0])
            let room = try await ada.enter(stage.grid.openSlot).roomId
            for server in servers {
                let socket = try await Self.open(room, "ping=5", as: ada, server, version: version)
                if version == 2 {
                    #expect(try await socket.message("handshake")["pingSeconds"]?.int == 5)
                } else {
                    #expect(try await socket.next() == .binary("{\"type\":\"handshake\"}"))
                }
                #expect(try await socket.nextPing())
                await socket.drop()
            }
        }
    }

    @Test("with merge=1 a slow reader gets every ale, in few messages, and stays; without it, as ever")
    func merge() async throws {
        try await Stage.with(.openNow, ["ALES_PER_SECOND": "0"]) { stage in
            let server = try await stage.startOne()
            let (ada, bea, room) = try await SocketVersion2Tests.two(stage, server)
            let adas = try await RoomSocket.open(room, as: ada)
            let slow = try await Self.open(room, "merge=1", as: bea, server)
            _ = try await slow.message("handshake")
            _ = try await adas.skip(to: "presence")
            // A reader that keeps up gets them one by one.
            await adas.cheer()
            #expect(try await slow.message("aleResponse")["count"] == nil)
            await slow.setPaused(true)
            let count: Int64 = 40_000
            var frame: [UInt8] = []
            FrameEncoder.maskedFrame(.text, Array("{\"type\":\"ale\"}".utf8), key: 7, into: &frame)
            for _ in 0..<10 {
                await adas.send(raw: [UInt8]((0..<count / 10).map { _ in frame }.joined()))
                await adas.send(.ping, [])
                while try await adas.next() != .pong {}
            }
            await slow.setPaused(false)
            var (messages, heard, last): (Int, Int64, Int64) = (0, 1, 1)
            while heard < count + 1 {
                let ale = try await slow.message("aleResponse")
                let merged = ale["count"]?.int ?? 1
                #expect(ale["first"]?.int ?? last + 1 == last + 1)
                last = try #require(ale["seq"]?.int)
                heard += merged
                messages += 1
            }
            #expect(heard == count + 1 && last == count + 1)
            #expect(messages < count / 2, "\(messages) messages")
            #expect(try await Metric.read("ale_deliveries_total", from: server) == Int(count) + 1)
            // It is in the room as before.
            await adas.cheer()
            #expect(try await slow.message("aleResponse")["seq"]?.int == count + 2)
        }
    }

    private static func open(
        _ room: Identifier, _ item: String, as person: Person, _ server: ServerProcess, version: Int = 2
    ) async throws -> RoomSocket {
        try await RoomSocket.open(
            "/socket?id=\(room)&\(item)", port: server.port,
            protocols: version == 2 ? [Routes.socketVersion2] : [],
            headers: ["Authorization": "Bearer \(person.token)"])
    }
}

extension RoomSocket {
    /// Returns whether the next frame is a ping, and skips messages.
    fileprivate func nextPing() async throws -> Bool {
        while true {
            switch try await nextFrame() {
            case .ping: return true
            case .text, .binary, .pong: continue
            case .closed, .ended: return false
            }
        }
    }
}
