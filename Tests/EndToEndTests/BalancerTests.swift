import Client
import Contract
import Glibc
import HTTP1
import PostgresTesting
import Reactor
import SocketTesting
import TestKit
import Testing

/// The configurations in `ops/balancers`, with the real HAProxy and nginx before three servers.
@Suite("Balancers", .timeLimit(.minutes(5)))
struct BalancerTests {
    private typealias RoomDetails = NotificationData.RoomDetails

    /// Three servers behind a balancer, as an operator starts them.
    private struct Scene {
        let stage: Stage
        let servers: [ServerProcess]
        let balancer: Balancer

        /// Lends a scene to the body, and ends it afterwards. `own` are the settings of each server.
        static func with(
            _ recipe: Balancer.Recipe, _ settings: [String: String] = [:],
            own: [String: [String: String]] = [:], _ body: (Scene) async throws -> Void
        ) async throws {
            try await Stage.with(.openNow, settings) { stage in
                let port = try ReservedPort()
                var servers: [ServerProcess] = []
                for name in Balancer.names {
                    let named = ["SERVER_NAME": name, "PUBLIC_URL": "http://127.0.0.1:\(port.number)"]
                    servers.append(try await stage.startOne(named.merging(own[name] ?? [:]) { $1 }))
                }
                let balancer = try await Balancer(recipe, at: port, before: servers)
                do {
                    try await body(Scene(stage: stage, servers: servers, balancer: balancer))
                } catch {
                    await balancer.stop()
                    throw error
                }
                await balancer.stop()
            }
        }

        /// Has two more people meet, until the condition holds for the names of the servers that have rooms.
        /// Returns the address of each person's socket, by rooms.
        func pairs(until isEnough: (Set<String>) -> Bool) async throws -> [Identifier: [String]] {
            var people: [Person] = []
            while true {
                for name in ["Ada", "Bea"] {
                    people.append(try await Person(named: name, on: servers[0]))
                    _ = try await people[people.count - 1].enter(stage.grid.openSlot)
                }
                var urls: [Identifier: [String]] = [:]
                for person in people {
                    let room = try #require(try await person.api.registrations().registrations.first?.roomId)
                    urls[room, default: []].append(try await person.api.room(room).socketUrl)
                }
                let names = Set(urls.values.joined().map(Scene.name))
                // A server learns of another one's name with its next renewal.
                if names.isSubset(of: Balancer.names) && isEnough(names) { return urls }
            }
        }

        /// Returns a metric of each server.
        func metric(_ name: String) async throws -> [Int] {
            var values: [Int] = []
            for server in servers { values.append(try await Metric.own(name, of: server)) }
            return values
        }

        func owner(of url: String) throws -> ServerProcess {
            servers[try #require(Balancer.names.firstIndex(of: Scene.name(in: url)))]
        }

        /// Returns the name of the server in the address of a socket.
        static func name(in url: String) -> String {
            String(url.split(separator: "&server=").last ?? "")
        }
    }

    @Test(
        "bring each socket to the server of its room, which its address names",
        arguments: [Balancer.Recipe.haproxy, .nginx])
    func named(recipe: Balancer.Recipe) async throws {
        try await Scene.with(recipe) { scene in
            let rooms = try await scene.pairs { $0.count == Balancer.names.count }
            var expected = [0, 0, 0]
            var sockets: [RoomSocket] = []
            for urls in rooms.values {
                var members: [RoomSocket] = []
                for url in urls {
                    members.append(try await RoomSocket.open(url: url))
                    expected[try #require(Balancer.names.firstIndex(of: Scene.name(in: url)))] += 1
                }
                for member in members { _ = try await member.message("handshake") }
                await members[0].cheer()
                for other in members.dropFirst() { _ = try await other.skip(to: "aleResponse") }
                sockets += members
            }
            #expect(try await scene.metric("sockets_tunnelled") == [0, 0, 0])
            #expect(try await scene.metric("room_devices") == expected)
            for socket in sockets { await socket.drop() }
            try await expectHash(scene)
            for path in ["metrics", "cluster/probe", "cluster/socket"] {
                #expect(try await Curl("\(scene.balancer.url)/\(path)").status == 404, "\(path)")
            }
        }
    }

    /// Expects that the sockets of a room go to one server where the address names none, or none that is
    /// there, whatever the case of the id, and that all servers get some.
    private func expectHash(_ scene: Scene) async throws {
        let factors: [UInt64] = [0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9]
        let ids = (1...48).map { (number: UInt64) -> String in
            factors.map { factor -> String in
                let digits = String(factor &* number, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }.joined()
        }
        let requests = [ids, ids.map { $0.uppercased() }, ids.map { "\($0)&server=stranger" }]
        var counts: [[Int]] = []
        for targets in requests {
            let name = "http_requests_total{method=\"GET\",status=\"426\"}"
            let before = try await scene.metric(name)
            let wire = try await Wire.connect(port: scene.balancer.port)
            for (index, target) in targets.enumerated() {
                let end = index == targets.count - 1 ? "Connection: close\r\n" : ""
                await wire.write("GET /socket?id=\(target) HTTP/1.1\r\nHost: h\r\n\(end)\r\n")
            }
            _ = try await wire.readAll()
            counts.append(zip(try await scene.metric(name), before).map { $0 - $1 })
        }
        #expect(counts[0].allSatisfy { $0 > 0 } && counts[0].reduce(0, +) == ids.count, "\(counts)")
        #expect(counts[1] == counts[0] && counts[2] == counts[0], "\(counts)")
    }

    @Test(
        "bring people back together when the server of their room is killed",
        arguments: [Balancer.Recipe.haproxy, .nginx, .turns])
    func killed(recipe: Balancer.Recipe) async throws {
        try await Scene.with(recipe) { scene in
            let urls = try #require(try await scene.pairs { _ in true }.values.first)
            let sockets = [try await RoomSocket.open(url: urls[0]), try await RoomSocket.open(url: urls[1])]
            let epoch = try #require(try await sockets[0].message("handshake")["epoch"]?.string)
            await (try scene.owner(of: urls[0])).kill()
            for socket in sockets { #expect(try await socket.close() == .ended) }
            try await expectNewRoom(urls, after: epoch)
            for _ in 0..<6 { #expect(try await Curl("\(scene.balancer.url)/livez").status == 200) }
        }
    }

    /// Expects that two people who come back are together in a room that has begun again.
    private func expectNewRoom(_ urls: [String], after epoch: String) async throws {
        var sockets: [RoomSocket] = []
        for url in urls.prefix(2) {
            sockets.append(try await Self.openSoon("\(url)&epoch=\(epoch)&since=0"))
        }
        for socket in sockets {
            #expect(try await socket.message("handshake")["recovered"]?.bool == false)
        }
        await sockets[0].cheer()
        _ = try await sockets[1].skip(to: "aleResponse")
    }

    /// Opens a socket as clients do, which try again if a server says that it cannot let them in yet: no
    /// server may take the room, or the server waits for the answer of another one to know that it still has
    /// the room. So they do where the balancer closes the connection: on a busy machine it may take a server
    /// for gone that is late to say that it is well.
    private static func openSoon(_ url: String) async throws -> RoomSocket {
        while true {
            do {
                return try await RoomSocket.open(url: url)
            } catch let error as RoomSocket.APIError where error.status == 503 {
                #expect(error.head.headers.contains("retry-after"))
            } catch is RoomSocket.NoAnswer {}
        }
    }

    @Test(
        "ask another server where one does not reach that of the room",
        arguments: [Balancer.Recipe.haproxy, .nginx, .turns])
    func refused(recipe: Balancer.Recipe) async throws {
        let stranger = ["CLUSTER_KEY": "a key that no other server has, and is long"]
        try await Scene.with(recipe, own: ["one": stranger]) { scene in
            let rooms = try await scene.pairs { !$0.subtracting(["one"]).isEmpty }
            let url = try #require(rooms.values.joined().first { Scene.name(in: $0) != "one" })
            // In turn the first one is asked too.
            for _ in 0..<3 {
                let wrong = url.replacing("&server=\(Scene.name(in: url))", with: "&server=one")
                _ = try await RoomSocket.open(url: wrong).message("handshake")
            }
        }
    }

    @Test("take the servers in turn, which pass sockets on to those of the rooms")
    func turns() async throws {
        try await Scene.with(.turns) { scene in
            let urls = try #require(try await scene.pairs { _ in true }.values.first)
            var sockets: [RoomSocket] = []
            for _ in 0..<3 {
                for url in urls { sockets.append(try await RoomSocket.open(url: url)) }
            }
            // Each server gets a third of them, and one server has the room, of two or three people.
            let third = urls.count
            #expect(try await scene.metric("sockets_tunnelled").sorted() == [0, third, third])
            await sockets[0].cheer()
            _ = try await sockets[3 * third - 1].skip(to: "aleResponse")
        }
    }

    @Test("keep the sockets of servers that are not ready, and end those of one that is silent")
    func health() async throws {
        let cluster = try await TestCluster.make()
        defer { cluster.remove() }
        // Sockets are not read while nothing is expected of them, so there are no pings.
        let settings = ["DATABASE_URL": cluster.url(), "PING_SECONDS": "3600"]
        try await Scene.with(.haproxy, settings) { scene in
            let urls = try #require(try await scene.pairs { _ in true }.values.first)
            let first = try await RoomSocket.open(url: urls[0])
            let epoch = try #require(try await first.message("handshake")["epoch"]?.string)
            // First the database does not answer, then it does not run.
            for isFrozen in [true, false] {
                if isFrozen { cluster.freeze() } else { try await cluster.stop() }
                // Several checks of its health are enough for HAProxy to take a server for gone.
                let checks = "http_requests_total{method=\"GET\",status=\"503\"}"
                let owner = try scene.owner(of: urls[0])
                let before = try await Metric.own(checks, of: owner)
                try await eventually(atLeast: before + 5) { try await Metric.own(checks, of: owner) }
                // The answer is that of a server, and not the balancer's own. Another server than the owner
                // may be asked, which finds out a little later.
                try await eventually {
                    let answer = try await Curl("\(scene.balancer.url)/readyz")
                    return answer.status == 503 && answer.headers["content-type"] == Problem.mediaType
                }
                let other = try await Self.openSoon(urls[1])
                _ = try await other.message("handshake")
                await other.cheer()
                _ = try await first.skip(to: "aleResponse")
                await other.drop()
                if isFrozen { cluster.thaw() } else { try await cluster.start() }
                try await eventually(equals: 200) { try await Curl("\(scene.balancer.url)/readyz").status }
            }
            // The process is there and its connections are open, as with a machine that is lost.
            try await scene.owner(of: urls[0]).standStill()
            #expect(try await first.close() == .ended)
            try await expectNewRoom(urls, after: epoch)
        }
    }

    @Test(
        "let people into open rooms while the database is away, and refuse all else in JSON with Retry-After",
        arguments: [Balancer.Recipe.haproxy, .nginx, .turns])
    func outage(recipe: Balancer.Recipe) async throws {
        let cluster = try await TestCluster.make()
        defer { cluster.remove() }
        try await Scene.with(recipe, ["DATABASE_URL": cluster.url()]) { scene in
            let urls = try #require(try await scene.pairs { _ in true }.values.first)
            let sockets = [try await RoomSocket.open(url: urls[0]), try await RoomSocket.open(url: urls[1])]
            for socket in sockets { _ = try await socket.message("handshake") }
            let ada = try await Person(named: "Ada", on: scene.servers[0])
            let id = try #require(urls[1].firstMatch(of: /id=[^&]+/)?.0)
            let fields = [
                "Authorization: Bearer \(ada.token)", "Connection: Upgrade", "Upgrade: websocket",
                "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ].flatMap { ["-H", $0] }
            try await cluster.stop()
            for _ in 0..<8 {
                let refused = try await Curl.post("\(scene.balancer.url)/v1/users", #"{"name":"Cal"}"#)
                #expect(refused.status == 503 && refused.headers["content-type"] == Problem.mediaType)
                #expect(refused.headers["retry-after"].flatMap { Int($0) } != nil)
                // A token has to be looked up, unlike a ticket.
                let unknown = try await Curl(["\(scene.balancer.url)/socket?\(id)"] + fields)
                #expect(unknown.status == 503 && unknown.headers["content-type"] == Problem.mediaType)
                let other = try await Self.openSoon(urls[1])
                _ = try await other.message("handshake")
                await other.drop()
            }
        }
    }

    @Test(
        "send GET requests to another server if one has lost its database",
        arguments: [Balancer.Recipe.haproxy, .nginx, .turns])
    func oneWithoutDatabase(recipe: Balancer.Recipe) async throws {
        let cluster = try await TestCluster.make()
        defer { cluster.remove() }
        try await Scene.with(recipe, own: ["three": ["DATABASE_URL": cluster.url()]]) { scene in
            let ada = try await Person(named: "Ada", on: scene.servers[0])
            try await cluster.stop()
            for _ in 0..<9 {
                let answer = try await Curl(
                    "\(scene.balancer.url)/v1/me", "-H", "Authorization: Bearer \(ada.token)")
                #expect(answer.status == 200)
            }
        }
    }

    @Test("have a configuration for containers that HAProxy takes")
    func containers() async throws {
        let file = "\(Balancer.configurations)/containers/haproxy.cfg"
        let check = try await Finished.run(
            try Balancer.path(of: "haproxy"), ["-c", "-q", "-f", file],
            environment: ["TLS": "off", "NAME_SERVER": "127.0.0.11:53"])
        #expect(check.status == 0, "\(check)")
    }
}
