import Client
import Contract
import HTTP1
import Postgres
import PostgresTesting
import Reactor
import TestKit
import Testing

@Suite("Several servers", .timeLimit(.minutes(5)))
struct ClusterTests {
    @Test("bring people together in whichever of them they enter", arguments: [1, 2])
    func tunnel(version: Int) async throws {
        try await Stage.with { stage in
            let servers = [
                try await stage.startOne(), try await stage.startOne(), try await stage.startOne(),
            ]
            let people = try await Person.crowd(2, on: servers[0])
            let room = try await people[0].enter(stage.grid.openSlot).roomId
            #expect(try await people[1].enter(stage.grid.openSlot).roomId == room)
            // At one server at least both are guests, since the room is at one of the three.
            for index in servers.indices {
                let one = try await RoomSocket.open(
                    room, as: try people[0].at(servers[index]), version: version)
                let next = servers[(index + 1) % servers.count]
                let other = try await RoomSocket.open(room, as: try people[1].at(next), version: version)
                try await Self.greet(one, other, in: room, version: version, messageId: "\(index)")
                await one.drop()
                await other.drop()
            }
        }
    }

    @Test("go on without the one that is killed, at once, and tell clients that the log is new")
    func killed() async throws {
        try await Stage.with { stage in
            let servers = [
                try await stage.startOne(), try await stage.startOne(), try await stage.startOne(),
            ]
            let people = try await Person.crowd(2, on: servers[0])
            let room = try await people[0].enter(stage.grid.openSlot).roomId
            _ = try await people[1].enter(stage.grid.openSlot)
            let owner = try await HandOverScene.owner(among: servers)
            let others = servers.indices.filter { $0 != owner }
            let first = try await RoomSocket.open(room, as: try people[0].at(servers[others[0]]))
            let handshake = try await first.message("handshake")
            let epoch = try #require(handshake["epoch"]?.string)
            await servers[owner].kill()
            #expect(try await first.close() == .ended)
            let one = try await RoomSocket.open(
                room, as: try people[0].at(servers[others[0]]), epoch: epoch, since: 0)
            let again = try await one.message("handshake")
            #expect(again["recovered"]?.bool == false)
            #expect(again["epoch"]?.string != epoch)
            let other = try await RoomSocket.open(room, as: try people[1].at(servers[others[1]]))
            await other.cheer()
            _ = try await one.skip(to: "aleResponse")
            let (new, guest) = (servers[others[0]], servers[others[1]])
            #expect(try await Metric.read("rooms_taken_over_total", from: new) == 1)
            #expect(try await Metric.read("take_over_seconds_count", from: new) == 1)
            #expect(try await Metric.read("tunnels_total{outcome=\"gone\"}", from: new) >= 1)
            #expect(try await Metric.read("rooms_taken_over_total", from: guest) == 0)
            #expect(try await Metric.read("tunnels_total{outcome=\"open\"}", from: guest) == 1)
            #expect(try await Metric.value("lease_age_seconds", from: guest) >= 0)
        }
    }

    @Test("refuse a socket as the server of its room does, whichever is asked")
    func refusals() async throws {
        try await Stage.with { stage in
            let servers = [try await stage.startOne(), try await stage.startOne()]
            let ada = try await Person(named: "Ada", on: servers[0])
            let stranger = try await Person(named: "Stranger", on: servers[0])
            let room = try await ada.enter(stage.grid.openSlot).roomId
            var devices: [RoomSocket] = []
            for index in 0..<8 {
                devices.append(try await RoomSocket.open(room, as: try ada.at(servers[index % 2])))
                _ = try await devices[index].message("handshake")
            }
            for server in servers {
                let ninth = await #expect(throws: RoomSocket.APIError.self) {
                    _ = try await RoomSocket.open(room, as: try ada.at(server))
                }
                #expect(ninth?.status == 429 && ninth?.head.headers.contains("retry-after") == true)
                #expect(ninth?.problem.instance == ninth?.head.headers.first("x-request-id"))
                let other = await #expect(throws: RoomSocket.APIError.self) {
                    _ = try await RoomSocket.open(room, as: try stranger.at(server))
                }
                #expect(other?.status == 404)
                let german = await #expect(throws: RoomSocket.APIError.self) {
                    _ = try await RoomSocket.open(
                        "/socket?id=\(room)", port: server.port,
                        headers: ["Authorization": "Bearer \(ada.token)", "Accept-Language": "de"])
                }
                #expect(german?.status == 429)
                #expect(german?.head.headers.all("content-language") == ["de"])
                #expect(german?.head.headers.all("vary").contains("Accept-Language") == true)
            }
            for device in devices { await device.drop() }
        }
    }

    @Test("let people back into an open room without the database, wherever they enter", arguments: [1, 2])
    func outage(version: Int) async throws {
        let cluster = try await TestCluster.make()
        defer { cluster.remove() }
        try await Stage.with(.openNow, ["DATABASE_URL": cluster.url()]) { stage in
            let servers = [
                try await stage.startOne(), try await stage.startOne(), try await stage.startOne(),
            ]
            let people = try await Person.crowd(2, on: servers[0])
            let room = try await people[0].enter(stage.grid.openSlot).roomId
            var targets: [String] = []
            for person in people {
                if targets.count == 1 { _ = try await person.enter(stage.grid.openSlot) }
                let url = try await person.roomOpened().socketUrl
                targets.append("/\(try #require(url.split(separator: "/").last))")
                await (try await RoomSocket.open(room, as: person)).drop()
            }
            try await Self.renewAll(in: try PostgresConfiguration(url: cluster.url()))
            try await cluster.stop()
            let protocols = version == 2 ? [Routes.socketVersion2] : []
            for index in servers.indices {
                let ports = [servers[index].port, servers[(index + 1) % servers.count].port]
                let one = try await RoomSocket.open(targets[0], port: ports[0], protocols: protocols)
                let other = try await RoomSocket.open(targets[1], port: ports[1], protocols: protocols)
                try await Self.greet(one, other, in: room, version: version, messageId: "\(index)")
                await one.drop()
                await other.drop()
            }
        }
    }

    @Test("with different keys refuse each other in one clear line, and clients come back later")
    func keys() async throws {
        try await Stage.with { stage in
            let one = try await stage.startOne(["CLUSTER_KEY": "the first key of these two, which is long"])
            let other = try await stage.startOne(["CLUSTER_KEY": "the second key of these two, also long"])
            let ada = try await Person(named: "Ada", on: one)
            let room = try await ada.enter(stage.grid.openSlot).roomId
            var refusals = 0
            for server in [one, other] {
                do throws(RoomSocket.APIError) {
                    _ = try await Self.attempt(room, ada, server)
                } catch {
                    #expect(error.status == 503 && error.head.headers.contains("retry-after"))
                    refusals += 1
                }
            }
            #expect(refusals == 1)
            let logs = one.log + other.log
            #expect(logs.contains("CLUSTER_KEY"), "\(logs)")
        }
    }

    @Test("name the server of a room in its address, for the balancer")
    func label() async throws {
        try await Stage.with { stage in
            let names = ["one", "two"]
            var servers: [ServerProcess] = []
            for name in names { servers.append(try await stage.startOne(["SERVER_NAME": name])) }
            let people = try await Person.crowd(2, on: servers[0])
            _ = try await people[1].enter(stage.grid.openSlot)
            try await Self.renewAll(in: stage.database.configuration)
            let notification = try await people[0].enter(stage.grid.openSlot)
            let owner = names[try await HandOverScene.owner(among: servers)]
            #expect(notification.socketUrl.hasSuffix("&server=\(owner)"), "\(notification.socketUrl)")
            let room = try await people[0].api.room(notification.roomId)
            #expect(room.socketUrl.hasSuffix("&server=\(owner)"), "\(room.socketUrl)")
        }
    }

    @Test("pass a socket on with MISPLACED=x-accel too, which only warns in the log")
    func misplaced() async throws {
        try await Stage.with { stage in
            let settings = ["MISPLACED": "x-accel"]
            let servers = [try await stage.startOne(settings), try await stage.startOne(settings)]
            let ada = try await Person(named: "Ada", on: servers[0])
            let room = try await ada.enter(stage.grid.openSlot).roomId
            let other = servers[1 - (try await HandOverScene.owner(among: servers))]
            let socket = try await RoomSocket.open(
                "/socket?id=\(room)", port: other.port, protocols: [Routes.socketVersion2],
                headers: ["Authorization": "Bearer \(ada.token)"])
            _ = try await socket.message("handshake")
            #expect(try await Metric.own("sockets_tunnelled", of: other) == 1)
            #expect(other.log.contains("MISPLACED=x-accel does nothing"), "\(other.log)")
        }
    }

    /// Waits until each server has renewed its lease once more, and knows the others by that.
    private static func renewAll(in configuration: PostgresConfiguration) async throws {
        try await withPostgresConnection(configuration, on: TestLoops.next()) { connection in
            func ends(_ which: String) async throws -> Int64 {
                let sql = "SELECT (extract(epoch FROM \(which)(alive_until)) * 1000000)::int8 FROM servers"
                return try #require(try await connection.query(sql).first?.decode(0, Int64.self))
            }
            let last = try await ends("max")
            try await eventually(atLeast: last + 1) { try await ends("min") }
        }
    }

    private static func attempt(
        _ room: Identifier, _ person: Person, _ server: ServerProcess
    ) async throws(RoomSocket.APIError) {
        do {
            await (try await RoomSocket.open(room, as: try person.at(server))).drop()
        } catch let error as RoomSocket.APIError {
            throw error
        } catch {
            Issue.record(error)
        }
    }

    private static func greet(
        _ one: RoomSocket, _ other: RoomSocket, in room: Identifier, version: Int, messageId: String
    ) async throws {
        guard version == 1 else {
            _ = try await one.message("handshake")
            _ = try await other.message("handshake")
            await one.cheer(messageId)
            _ = try await one.skip(to: "ack")
            _ = try await other.skip(to: "aleResponse")
            await other.cheer()
            _ = try await one.skip(to: "aleResponse")
            return
        }
        #expect(try await one.next() == .binary("{\"type\":\"handshake\"}"))
        #expect(try await other.next() == .binary("{\"type\":\"handshake\"}"))
        await one.send("{\"type\":\"ale\",\"id\":\"\(room)\"}")
        #expect(try await other.next() == .binary("{\"type\":\"aleResponse\"}"))
    }
}
