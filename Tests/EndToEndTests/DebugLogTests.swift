import Contract
import TestKit
import Testing

@Suite("A server that is watched", .timeLimit(.minutes(5)))
struct DebugLogTests {
    @Test("tells each request, socket and refused sign-in at LOG_LEVEL=debug, and no secret")
    func told() async throws {
        try await Stage.with { stage in
            let server = try await stage.startOne(["LOG_LEVEL": "debug", "PING_SECONDS": "5"])
            let ada = try await Person(named: "Ada", on: server)
            let details = try await ada.enter(stage.grid.openSlot, task: "Something private")
            let bearer = "Authorization: Bearer \(ada.token)"
            let feed = try await Curl("-X", "POST", "\(server.url)/v1/me/calendars", "-H", bearer)
            let secret = try #require(feed.json["url"]?.string?.split(separator: "/").last)
            #expect(try await Curl("\(server.url)/calendars/\(secret)").status == 200)
            let room = try await Curl("\(server.url)/v1/rooms/\(details.roomId)?x=hush", "-H", bearer)
            #expect(room.status == 200)
            let refused = try await Curl("\(server.url)/v1/me", "-H", "Authorization: Bearer lsk_x")
            #expect(refused.status == 401)
            for _ in 0..<12 { #expect(try await Curl("\(server.url)/livez").status == 200) }
            let socket = try await RoomSocket.open(url: details.socketUrl)
            let epoch = try #require(try await socket.message("handshake")["epoch"]?.string)
            while try await socket.nextFrame() != .ping {}
            try await eventually(atLeast: 1) { try await Metric.read("ping_seconds_count", from: server) }
            await socket.drop()
            try await eventually { server.log.contains("socket closed") }
            let again = try await RoomSocket.open(details.roomId, as: ada, epoch: epoch, since: 0)
            await again.drop()
            #expect(try await Metric.read("resumes_total{recovered=\"true\"}", from: server) == 1)
            #expect(try await Metric.read("returns_total", from: server) == 1)
            #expect(try await Metric.read("queued_bytes", from: server) == 0)
            for direction in ["in", "out"] {
                let name = "traffic_bytes_total{direction=\"\(direction)\"}"
                #expect(try await Metric.read(name, from: server) > 1_000)
            }
            let lines = server.log.split(separator: "\n")
            let requests = lines.filter { $0.contains("debug request ") }
            for part in [
                "path=/calendars/{secret} status=200", "path=/v1/rooms/\(details.roomId) status=200",
                "method=GET path=/v1/me status=401", "method=POST path=/v1/users status=201",
                "path=/socket status=101",
            ] {
                #expect(requests.contains { $0.contains(part) }, "\(part)")
            }
            #expect(requests.filter { $0.contains("path=/livez status=200") }.count >= 12)
            #expect(lines.contains { $0.contains("sign-in refused") && $0.contains("request=") })
            let closed = try #require(lines.first { $0.contains("socket closed") })
            for part in ["user=\(ada.user.id)", "room=\(details.roomId)", "code=1006", "seconds=", "out="] {
                #expect(closed.contains(part), "\(closed)")
            }
            let ticket = try #require(details.socketUrl.split(separator: "token=").last)
            for hidden in [ada.token, String(secret), String(ticket), "lsk_x", "hush", "private"] {
                #expect(!server.log.contains(hidden), "\(hidden)")
            }
        }
    }
}
