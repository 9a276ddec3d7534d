import Client
import Contract
import HTTP1
import Testing

@Suite("A session of a browser", .timeLimit(.minutes(5)))
struct SessionTests {
    private static func cookie(of person: Person, _ port: UInt16) async throws -> String {
        let wire = try await Wire.connect(port: port)
        await wire.write(
            "POST /v1/me/session HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
                + "Authorization: Bearer \(person.token)\r\n\r\n")
        let answer = try await wire.readAll()
        let field = try #require(answer.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") })
        return String(field.dropFirst("Set-Cookie: ".count).prefix { $0 != ";" })
    }

    /// Opens an event stream by a cookie, and returns it with the first line of the answer.
    private static func stream(
        _ cookie: String, _ field: String, _ port: UInt16
    ) async throws -> (wire: Wire, status: Substring) {
        let wire = try await Wire.connect(port: port)
        await wire.write(
            "GET /v1/events HTTP/1.1\r\nHost: h\r\nConnection: close\r\nCookie: \(cookie)\r\n\(field)\r\n\r\n"
        )
        let answer = String(decoding: try await wire.read() ?? [], as: UTF8.self)
        return (wire, answer.dropFirst(9).prefix(3))
    }

    private static func socket(
        _ room: Identifier, _ cookie: String, _ fields: HTTPHeaders, _ port: UInt16, token: String? = nil
    ) async throws -> RoomSocket {
        var headers = fields
        headers.append("Cookie", cookie)
        let target = "/socket?id=\(room)" + (token.map { "&token=\($0)" } ?? "")
        return try await RoomSocket.open(
            target, port: port, protocols: [Routes.socketVersion2], headers: headers)
    }

    @Test("has a cookie for https alone where a trusted proxy has https, and keeps a plain one that exists")
    func secureProxy() async throws {
        try await Stage.with { stage in
            let server = try await stage.startOne(["TRUSTED_PROXIES": "127.0.0.1"])
            let ada = try await Person(named: "Ada", on: server)
            let https = ["-H", "X-Forwarded-Proto: https"]
            let bearer = ["-H", "Authorization: Bearer \(ada.token)"]
            let (make, me) = (["-X", "POST", "\(server.url)/v1/me/session"], ["\(server.url)/v1/me"])
            let plain = try await Curl(make + bearer).headers["set-cookie"] ?? ""
            let secure = try await Curl(make + bearer + https).headers["set-cookie"] ?? ""
            #expect(plain.hasPrefix("letsswitch=lss_") && !plain.hasSuffix("; Secure"))
            #expect(secure.hasPrefix("__Host-letsswitch=lss_") && secure.hasSuffix("; Secure"))
            func cookie(_ field: String) -> [String] { ["-H", "Cookie: \(field.prefix { $0 != ";" })"] }
            #expect(try await Curl(me + https + cookie(secure)).status == 200)
            #expect(try await Curl(me + https + cookie(plain)).status == 200)
            #expect(try await Curl(me + cookie(plain)).status == 200)
            #expect(try await Curl(me + cookie(secure)).status == 401)
        }
    }

    @Test("opens a socket and a stream for a page of the service alone, and ends them with itself")
    func opens() async throws {
        try await Stage.withServer { stage, server in
            let (ada, bea, room) = try await SocketVersion2Tests.two(stage, server)
            let port = server.port
            let cookie = try await Self.cookie(of: ada, port)
            let origin = "http://127.0.0.1:\(port)"
            for fields: HTTPHeaders in [
                [:], ["Origin": "https://evil.test"], ["Sec-Fetch-Site": "cross-site"], ["Origin": "null"],
            ] {
                let refused = await #expect(throws: RoomSocket.APIError.self) {
                    _ = try await Self.socket(room, cookie, fields, port)
                }
                #expect(refused?.status == 403 && refused?.problem.name == .crossSite)
            }
            for field in ["X: y", "Sec-Fetch-Site: same-site", "Origin: https://evil.test"] {
                #expect(try await Self.stream(cookie, field, port).status == "403")
            }
            let bad = await #expect(throws: RoomSocket.APIError.self) {
                _ = try await Self.socket(room, "letsswitch=x", ["Origin": origin], port)
            }
            #expect(bad?.status == 401)
            let socket = try await Self.socket(room, cookie, ["Origin": origin], port)
            _ = try await socket.message("handshake")
            // A browser that says only from which page it comes.
            #expect(try await Self.stream(cookie, "Referer: \(origin)/day", port).status == "200")
            #expect(try await Self.stream(cookie, "Referer: https://evil.test/", port).status == "403")
            let (wire, status) = try await Self.stream(cookie, "Sec-Fetch-Site: same-origin", port)
            #expect(status == "200")
            // A cookie beside a ticket is ignored, from whichever account.
            let url = try await bea.roomOpened().socketUrl
            let ticket = try #require(url.split(separator: "token=").last?.prefix { $0 != "&" })
            let beas = try await Self.socket(
                room, cookie, ["Origin": "https://evil.test"], port, token: String(ticket))
            #expect(try await beas.message("handshake")["members"]?.array?.count == 2)
            let kept = try await RoomSocket.open(room, as: ada)
            _ = try await kept.message("handshake")
            let session = try #require(try await ada.api.sessions().first)
            try await ada.api.endSession(session.id)
            #expect(try await socket.close() == .closed(1008, "the token is no longer valid"))
            _ = try await wire.readAll()
            let ended = await #expect(throws: RoomSocket.APIError.self) {
                _ = try await Self.socket(room, cookie, ["Origin": origin], port)
            }
            #expect(ended?.status == 401)
            await kept.cheer()
            _ = try await beas.message("aleResponse")
        }
    }

    @Test("opens a room of another server, and ends there with its token")
    func elsewhere() async throws {
        try await Stage.with { stage in
            let servers = [try await stage.startOne(), try await stage.startOne()]
            let (ada, _, room) = try await SocketVersion2Tests.two(stage, servers[0])
            let made = try await ada.api.makeToken(NewToken(name: "Laptop"))
            let laptop = ada.with(token: made.token)
            for server in servers {
                let cookie = try await Self.cookie(of: laptop, server.port)
                let socket = try await Self.socket(
                    room, cookie, ["Sec-Fetch-Site": "same-origin"], server.port)
                _ = try await socket.message("handshake")
            }
            let cookie = try await Self.cookie(of: laptop, servers[1].port)
            let fields: HTTPHeaders = ["Sec-Fetch-Site": "same-origin"]
            var open: [RoomSocket] = []
            for server in servers { open.append(try await Self.socket(room, cookie, fields, server.port)) }
            try await ada.api.revokeToken(made.details.id)
            for socket in open {
                #expect(try await socket.close() == .closed(1008, "the token is no longer valid"))
            }
        }
    }
}
