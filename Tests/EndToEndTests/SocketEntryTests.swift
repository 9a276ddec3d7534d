import Client
import Contract
import HTTP1
import Testing
import WebSocket

@Suite("The socket's door", .timeLimit(.minutes(5)))
struct SocketEntryTests {
    @Test("refuses before the upgrade, each for its reason, with a problem document")
    func refusals() async throws {
        try await Stage.withPerson { stage, server, ada in
            let stranger = try await Person(named: "Stranger", on: server)
            let details = try await ada.enter(stage.grid.openSlot)
            let ticket = String(try #require(details.socketUrl.split(separator: "token=").last))
            let room = "/socket?id=\(details.roomId)"
            let other = "/socket?id=00000000-0000-4000-8000-000000000000"
            let bearer: HTTPHeaders = ["Authorization": "Bearer \(ada.token)"]
            try await expect(401, room, server)
            try await expect(401, "\(room)&token=nonsense", server)
            try await expect(401, "\(room)&token=\(ticket.dropLast())", server)
            try await expect(401, room, server, ["Authorization": "Bearer nonsense"])
            try await expect(401, room, server, ["Authorization": "Basic \(ada.token)"])
            try await expect(404, "\(other)&token=\(ticket)", server)
            try await expect(404, other, server, bearer)
            try await expect(404, "/socket", server, bearer)
            try await expect(404, "/socket?id=nonsense", server, bearer)
            try await expect(404, room, server, ["Authorization": "Bearer \(stranger.token)"])
            // Valid entries are by ticket, by a token in the query, and with an id in upper case.
            // The name of a server is for a balancer, and nothing here.
            for target in [
                "\(room)&token=\(ticket)&server=two", "\(room)&token=\(ada.token)",
                "/socket?id=\("\(details.roomId)".uppercased())&token=\(ticket)",
            ] {
                let socket = try await RoomSocket.open(target, port: server.port)
                #expect(try await socket.next() == .binary("{\"type\":\"handshake\"}"))
                await socket.drop()
            }
            // Credentials of another scheme, which a proxy asks for, do not stand before the ticket.
            let basic = try await RoomSocket.open(
                "\(room)&token=\(ticket)", port: server.port, headers: ["Authorization": "Basic YTpi"])
            #expect(try await basic.next() == .binary("{\"type\":\"handshake\"}"))
            await basic.drop()
        }
    }

    @Test("holds what it refuses again and again, looks nothing up for it, and lets others in meanwhile")
    func again() async throws {
        try await Stage.with { stage in
            let server = try await stage.startOne()
            let ada = try await Person(named: "Ada", on: server)
            let details = try await ada.enter(stage.grid.openSlot)
            let room = "/socket?id=\(details.roomId)"
            let wrong = "\(room)&token=lsk_\(String(repeating: "A", count: 43))"
            var held = 0
            // The first is answered at once, and each that comes within a second a little later.
            while held < 3 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 { group.addTask { try await expect(401, wrong, server) } }
                    let ticket = String(try #require(details.socketUrl.split(separator: "token=").last))
                    let socket = try await RoomSocket.open("\(room)&token=\(ticket)", port: server.port)
                    #expect(try await socket.next() == .binary("{\"type\":\"handshake\"}"))
                    await socket.drop()
                    try await group.waitForAll()
                }
                held = try await Metric.read("socket_refusals_held_total", from: server)
            }
            while try await Metric.read("socket_refusals_remembered_total", from: server) == 0 {
                try await expect(401, wrong, server)
            }
        }
    }

    @Test("remembers no refusal of a cookie: a person who has signed in again gets in at once")
    func cookies() async throws {
        try await Stage.with { stage in
            let server = try await stage.startOne()
            let ada = try await Person(named: "Ada", on: server)
            let room = "/socket?id=\(try await ada.enter(stage.grid.openSlot).roomId)"
            let session = try await Curl(
                "-X", "POST", "\(server.url)/v1/me/session", "-H", "Authorization: Bearer \(ada.token)")
            let cookie = String(try #require(session.headers["set-cookie"]?.split(separator: ";").first))
            let wrong = "\(cookie.prefix { $0 != "=" })=\(String(repeating: "A", count: 43))"
            for _ in 0..<2 {
                let refused = await #expect(throws: RoomSocket.APIError.self) {
                    _ = try await Self.open(room, server, wrong)
                }
                #expect(refused?.status == 401)
            }
            let socket = try await Self.open(room, server, cookie)
            _ = try await socket.message("handshake")
            #expect(try await Metric.read("socket_refusals_remembered_total", from: server) == 0)
        }
    }

    private static func open(
        _ target: String, _ server: ServerProcess, _ cookie: String
    ) async throws -> RoomSocket {
        try await RoomSocket.open(
            target, port: server.port, protocols: ["letsswitch.v2"],
            headers: ["Cookie": cookie, "Sec-Fetch-Site": "same-origin"])
    }

    @Test("takes a token or a ticket as a subprotocol, which it does not confirm")
    func tokenSubprotocol() async throws {
        try await Stage.withPerson { stage, server, ada in
            let details = try await ada.enter(stage.grid.openSlot)
            let ticket = String(try #require(details.socketUrl.split(separator: "token=").last))
            let room = "/socket?id=\(details.roomId)"
            for token in [ticket, ada.token] {
                let socket = try await RoomSocket.open(
                    room, port: server.port, protocols: ["letsswitch.v2", "token.\(token)"])
                #expect(socket.head.headers.all("sec-websocket-protocol") == ["letsswitch.v2"])
                _ = try await socket.message("handshake")
                await socket.drop()
            }
            // Alone it means version 1, and the query comes first.
            let first = try await RoomSocket.open(
                "\(room)&token=\(ticket)", port: server.port, protocols: ["token.nonsense"])
            #expect(first.head.headers.all("sec-websocket-protocol").isEmpty)
            #expect(try await first.next() == .binary("{\"type\":\"handshake\"}"))
            for wrong in ["token.", "token.nonsense", "token.\(ticket.dropLast())"] {
                let refused = await #expect(throws: RoomSocket.APIError.self) {
                    _ = try await RoomSocket.open(
                        room, port: server.port, protocols: ["letsswitch.v2", wrong])
                }
                #expect(refused?.status == 401)
            }
        }
    }

    @Test("tells a client that is no WebSocket what to do")
    func upgrades() async throws {
        try await Stage.withPerson { stage, server, ada in
            let room = try await ada.enter(stage.grid.openSlot).roomId
            let target = "/socket?id=\(room)"
            let bearer = "Bearer \(ada.token)"
            let key = "dGhlIHNhbXBsZSBub25jZQ=="
            let plain = try await refusal(target, server, ["Authorization": bearer])
            #expect(plain.status == 426)
            #expect(plain.head.headers.first("upgrade") == "websocket")
            let old = try await refusal(
                target, server,
                [
                    "Authorization": bearer, "Upgrade": "websocket", "Connection": "Upgrade",
                    "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "8",
                ])
            #expect(old.status == 426)
            #expect(old.head.headers.first("sec-websocket-version") == "13")
            let keyless = try await refusal(
                target, server,
                [
                    "Authorization": bearer, "Upgrade": "websocket", "Connection": "Upgrade",
                    "Sec-WebSocket-Version": "13",
                ])
            #expect(keyless.status == 400)
            let nonsense = try await Curl(
                "\(server.url)\(target)&epoch=E&since=x", "-H", "Authorization: \(bearer)", "-H",
                "Upgrade: websocket", "-H", "Connection: Upgrade", "-H", "Sec-WebSocket-Key: \(key)", "-H",
                "Sec-WebSocket-Version: 13")
            #expect(nonsense.status == 400)
            #expect(nonsense.body.contains("since"))
            let posted = try await Curl.post("\(server.url)\(target)", "{}", token: ada.token)
            #expect(posted.status == 405)
            #expect(posted.headers["allow"]?.contains("GET") == true)
        }
    }

    @Test("opens for eight devices of a user, and refuses the ninth until one has left")
    func devices() async throws {
        try await Stage.withPerson { stage, server, ada in
            let bea = try await Person(named: "Bea", on: server)
            let details = try await ada.enter(stage.grid.openSlot)
            _ = try await bea.enter(stage.grid.openSlot)
            let beas = try await RoomSocket.open(details.roomId, as: bea)
            let second = try await RoomSocket.open(details.roomId, as: bea, version: 1)
            var devices: [RoomSocket] = []
            for _ in 0..<8 { devices.append(try await RoomSocket.open(details.roomId, as: ada)) }
            let ninth = await #expect(throws: RoomSocket.APIError.self) {
                _ = try await RoomSocket.open(details.roomId, as: ada)
            }
            #expect(ninth?.status == 429)
            #expect(ninth?.head.headers.first("retry-after") != nil)
            // Every device of the other member hears an ale, and none of the sender's own.
            await devices[0].cheer("mine")
            _ = try await beas.skip(to: "aleResponse")
            #expect(try await second.next() == .binary("{\"type\":\"handshake\"}"))
            #expect(try await second.next() == .binary("{\"type\":\"aleResponse\"}"))
            await beas.cheer()
            for device in devices.dropFirst() {
                _ = try await device.message("handshake")
                #expect(try await device.message("aleResponse")["seq"]?.int == 2)
            }
            // A close is answered once the place is free.
            await devices[7].send(.close, [0x03, 0xE8])
            #expect(try await devices[7].close() == .closed(1000, ""))
            _ = try await RoomSocket.open(details.roomId, as: ada).message("handshake")
        }
    }

    private func expect(
        _ status: Int, _ target: String, _ server: ServerProcess, _ headers: HTTPHeaders = [:],
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let refused = await #expect(throws: RoomSocket.APIError.self, "\(target)", sourceLocation: location) {
            _ = try await RoomSocket.open(target, port: server.port, headers: headers)
        }
        #expect(refused?.status == status, "\(target)", sourceLocation: location)
        #expect(refused?.head.headers.first("content-type") == Problem.mediaType, sourceLocation: location)
        if status == 401 {
            #expect(refused?.head.headers.first("www-authenticate") != nil, sourceLocation: location)
        }
    }

    private func refusal(
        _ target: String, _ server: ServerProcess, _ headers: HTTPHeaders
    ) async throws -> RoomSocket.APIError {
        try #require(
            await #expect(throws: RoomSocket.APIError.self) {
                _ = try await RoomSocket.open(target, port: server.port, exactly: headers)
            })
    }
}
