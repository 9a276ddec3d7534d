import Contract
import TestKit
import Testing

@Suite("The access log of a server", .timeLimit(.minutes(5)))
struct AccessLogTests {
    private static func lines(of server: ServerProcess) -> [Substring] {
        server.log.split(separator: "\n").filter { $0.contains(" access request=") }
    }

    @Test("has a line for each request, with who asked for which route, and no secret")
    func all() async throws {
        try await Stage.with { stage in
            let server = try await stage.startOne([
                "ACCESS_LOG": "all", "TRUSTED_PROXIES": "127.0.0.1",
            ])
            let ada = try await Person(named: "Ada", on: server)
            let details = try await ada.enter(stage.grid.openSlot, task: "Something private")
            let bearer = "Authorization: Bearer \(ada.token)"
            let room = try await Curl("\(server.url)/v1/rooms/\(details.roomId)?x=hush", "-H", bearer)
            #expect(room.status == 200)
            let refused = try await Curl(
                "\(server.url)/v1/me", "-H", "Authorization: Bearer lsk_x", "-H", "X-Forwarded-For: 192.0.2.7"
            )
            #expect(refused.status == 401)
            #expect(try await Curl("\(server.url)/nothing/hush").status == 404)
            let socket = try await RoomSocket.open(url: details.socketUrl)
            await socket.drop()
            // More than a log has of one message in a second.
            for _ in 0..<30 { #expect(try await Curl("\(server.url)/livez").status == 200) }
            try await eventually(atLeast: 30) {
                Self.lines(of: server).filter { $0.contains("route=/livez") }.count
            }
            let lines = Self.lines(of: server)
            for parts in [
                ["method=POST route=/v1/users status=201", "client=127.0.0.1"],
                ["method=GET route=/v1/rooms/{id} status=200", "account=\(ada.user.id)"],
                ["method=GET route=/v1/me status=401", "account=- client=192.0.2.7"],
                ["method=GET route=- status=404", "account=-"],
                ["method=GET route=/socket status=101 microseconds=0 bytes=0 account=\(ada.user.id)"],
            ] {
                #expect(lines.contains { line in parts.allSatisfy { line.contains($0) } }, "\(parts)")
            }
            let length = try #require(lines.first { $0.contains("route=/v1/rooms/{id}") })
            #expect(length.contains("bytes=\(room.body.utf8.count)"), "\(length)")
            let id = try #require(refused.headers["x-request-id"])
            #expect(lines.contains { $0.contains("request=\(id)") && $0.contains("status=401") })
            let ticket = try #require(details.socketUrl.split(separator: "token=").last)
            for hidden in [ada.token, String(ticket), "lsk_x", "hush", "private", "\(details.roomId)"] {
                #expect(!server.log.contains(hidden), "\(hidden)")
            }
        }
    }

    @Test("has nothing by default, and only what failed where that is asked for")
    func errors() async throws {
        try await Stage.with { stage in
            let quiet = try await stage.startOne()
            #expect(try await Curl("\(quiet.url)/nothing").status == 404)
            #expect(Self.lines(of: quiet).isEmpty)
            let server = try await stage.startOne(["ACCESS_LOG": "errors"])
            #expect(try await Curl("\(server.url)/livez").status == 200)
            #expect(try await Curl("\(server.url)/nothing").status == 404)
            try await eventually { !Self.lines(of: server).isEmpty }
            let statuses = Self.lines(of: server).map { $0.contains("status=404") }
            #expect(statuses == [true])
        }
    }
}
