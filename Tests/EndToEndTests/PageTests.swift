import Client
import Contract
import Postgres
import PostgresTesting
import TestKit
import Testing

@Suite("The page of a server", .timeLimit(.minutes(5)))
struct PageTests {
    private static let html = ["-H", "Accept: text/html,*/*;q=0.8"]

    @Test("comes whole to a browser, however slowly its address may ask, and programs get what they had")
    func visit() async throws {
        try await Stage.with(.openNow, ["REQUESTS_PER_SECOND": "5"]) { stage in
            let server = try await stage.startOne()
            let shell = try await Curl([server.url] + Self.html)
            #expect(shell.status == 200 && shell.headers["content-type"] == "text/html; charset=utf-8")
            let paths = shell.body.matches(of: /(?:src|href)="(\/page\/[0-9a-f]{16}\/[^"]+)"/)
                .map { String($0.1) }
            #expect(paths.contains { $0.hasSuffix(".css") })
            for _ in 0..<2 {
                for path in paths {
                    let (plain, small) = (
                        try await Curl(server.url + path),
                        try await Curl("--compressed", server.url + path)
                    )
                    #expect(plain.status == 200 && small.status == 200, "\(path)")
                    #expect(plain.headers["cache-control"] == "public, max-age=31536000, immutable")
                    #expect(plain.body == small.body, "\(path)")
                }
            }
            let plain = try await Curl(server.url)
            #expect(plain.body.contains("This is the service behind the apps."))
            #expect(plain.headers["vary"] == "Accept" && shell.headers["vary"] == "Accept, Accept-Encoding")
        }
    }

    @Test("is not there with WEB=off, which leaves the API as it was")
    func off() async throws {
        try await Stage.with(.openNow, ["WEB": "off"]) { stage in
            let server = try await stage.startOne()
            for arguments in [[server.url], [server.url] + Self.html] {
                let home = try await Curl(arguments)
                #expect(home.status == 200 && home.body.contains("This is the service behind the apps."))
                #expect(home.headers["vary"] == nil)
            }
            for path in ["/day", "/me", "/worker.js", "/manifest.webmanifest", "/page/", "/welcome"] {
                let answer = try await Curl([server.url + path] + Self.html)
                #expect(answer.status == 404, "\(path)")
                #expect(answer.headers["content-type"] == "application/problem+json")
            }
            #expect(try await Curl("\(server.url)/v1/now").json["peopleInRooms"]?.int == 0)
        }
    }

    @Test("says how many people are in rooms, of all servers")
    func people() async throws {
        try await Stage.with { stage in
            let servers = [try await stage.startOne(), try await stage.startOne()]
            let (ada, bea, room) = try await SocketVersion2Tests.two(stage, servers[0])
            let sockets = [
                try await RoomSocket.open(room, as: ada),
                try await RoomSocket.open(room, as: try bea.at(servers[1])),
            ]
            for socket in sockets { _ = try await socket.message("handshake") }
            try await eventually {
                let rows = try await stage.database.withConnection {
                    try await $0.query("SELECT count(*) FROM members WHERE present_on IS NOT NULL")
                }
                return try rows.first?.decode(0, Int64.self) == 2
            }
            for server in servers {
                let now = try await APIClient(server: try server.server).now()
                #expect(now.peopleInRooms == 2)
            }
            for socket in sockets { await socket.cheer() }
        }
    }
}
