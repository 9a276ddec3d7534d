import Client
import Contract
import Glibc
import Postgres
import PostgresTesting
import Reactor
import TestKit
import Testing

@Suite("A server that ends beside others")
struct HandOverTests {
    private static let seats = ["ROOM_SIZE": "3", "ALES_PER_SECOND": "0"]

    /// A room with two people of version 2 and one of version 1, and the server that has it.
    private struct Scene {
        let stage: Stage
        let servers: [ServerProcess]
        let people: [Person]
        let room: Identifier
        let owner: Int
        let epoch: String
        let ada: RoomSocket
        let bea: RoomSocket
        let old: RoomSocket

        init(_ stage: Stage, servers count: Int) async throws {
            self.stage = stage
            var servers: [ServerProcess] = []
            for index in 0..<count { servers.append(try await stage.startOne(Self.settings(index, stage))) }
            self.servers = servers
            people = try await Person.crowd(3, on: servers[0])
            room = try await people[0].enter(stage.grid.openSlot).roomId
            for person in people.dropFirst() {
                let entered = try await person.enter(stage.grid.openSlot).roomId
                #expect(entered == room)
            }
            owner = try await Self.owner(among: servers)
            // One comes by a tunnel.
            let guest = servers[(owner + 1) % count]
            ada = try await RoomSocket.open(room, as: try people[0].at(servers[owner]))
            bea = try await RoomSocket.open(room, as: try people[1].at(count > 2 ? servers[owner] : guest))
            old = try await RoomSocket.open(room, as: try people[2].at(servers[owner]), version: 1)
            epoch = try #require(try await ada.message("handshake")["epoch"]?.string)
            #expect(try await old.next() == .binary("{\"type\":\"handshake\"}"))
            try await Self.haveLeases(count, stage)
        }

        private static let leases = """
            SELECT count(*) FROM servers WHERE alive_until > clock_timestamp() + interval '3 s'
            """

        /// Waits until all servers have leases: with no slot near they have none.
        private static func haveLeases(_ count: Int, _ stage: Stage) async throws {
            try await within("the leases of \(count) servers") {
                try await stage.database.withConnection { connection in
                    while true {
                        let rows = try await connection.query(Self.leases)
                        if try rows.first?.decode(0, Int64.self) == Int64(count) { return }
                        try Task.checkCancellation()
                    }
                }
            }
        }

        /// Returns the settings of a server: each has a folder of its own.
        static func settings(_ index: Int, _ stage: Stage) -> [String: String] {
            ["DATA_DIR": "\(stage.folder.path)/\(index)"]
        }

        private static func owner(among servers: [ServerProcess]) async throws -> Int {
            while true {
                for (index, server) in servers.enumerated()
                where try await Metric.read("rooms", from: server) > 0 { return index }
                try Task.checkCancellation()
            }
        }

        /// Sends ales with these ids and returns the number of each.
        func cheer(_ ids: [String]) async throws -> [Int64] {
            var numbers: [Int64] = []
            for id in ids {
                await ada.cheer(id)
                numbers.append(try await ada.skip(to: "ack")["seq"]?.int ?? 0)
            }
            return numbers
        }

        /// Checks that the room goes on at a server with all that it had: `count` ales with the ids "1", "2"
        /// and so on.
        func goesOn(at server: ServerProcess, after count: Int) async throws {
            let bea = try await RoomSocket.open(
                room, as: try people[1].at(server), epoch: epoch, since: Int64(count) - 1)
            let handshake = try await bea.message("handshake")
            #expect(handshake["recovered"]?.bool == true && handshake["epoch"]?.string == epoch)
            #expect(handshake["seq"]?.int == Int64(count))
            #expect(try await bea.skip(to: "aleResponse")["seq"]?.int == Int64(count))
            let old = try await RoomSocket.open(room, as: try people[2].at(server), version: 1)
            #expect(try await old.next() == .binary("{\"type\":\"handshake\"}"))
            let ada = try await RoomSocket.open(
                room, as: try people[0].at(server), epoch: epoch, since: Int64(count))
            #expect(try await ada.message("handshake")["recovered"]?.bool == true)
            // An ale that was acknowledged before is known, and a new one is the next.
            for (id, number) in [("1", 1), ("\(count)", count), ("new", count + 1)] {
                await ada.cheer(id)
                #expect(try await ada.skip(to: "ack")["seq"]?.int == Int64(number))
            }
            #expect(try await bea.skip(to: "aleResponse")["seq"]?.int == Int64(count + 1))
            #expect(try await old.next() == .binary("{\"type\":\"aleResponse\"}"))
            for socket in [ada, bea, old] { await socket.drop() }
        }

        /// Checks that all sockets end with 1012 and a wait.
        func closesAll() async throws {
            for socket in [ada, bea, old] {
                guard case .closed(1012, let reason) = try await socket.close() else {
                    Issue.record("the socket was not closed with 1012")
                    continue
                }
                #expect(RetryAfter.read(reason) != nil, "\(reason)")
            }
        }
    }

    @Test("hands its rooms over: all come back through another one, and no ale is lost or doubled")
    func handedOver() async throws {
        try await Stage.with(.openNow, Self.seats) { stage in
            let scene = try await Scene(stage, servers: 2)
            #expect(try await scene.cheer(["1", "2", "3"]) == [1, 2, 3])
            let owner = scene.servers[scene.owner]
            owner.child.signal(SIGTERM)
            try await scene.closesAll()
            try await scene.goesOn(at: scene.servers[1 - scene.owner], after: 3)
            #expect(await owner.child.ending() == .exited(0), "\(owner.log)")
            #expect(owner.log.contains("rooms handed over rooms=1 left=0"), "\(owner.log)")
        }
    }

    @Test("acknowledges no ale that the next one does not know, whenever it ends")
    func underLoad() async throws {
        try await Stage.with(.openNow, Self.seats) { stage in
            let scene = try await Scene(stage, servers: 2)
            var sent = 0
            // Ales go on while the server ends; those that are not acknowledged are sent again.
            for _ in 0..<200 {
                sent += 1
                await scene.ada.cheer("\(sent)")
                if sent == 50 { scene.servers[scene.owner].child.signal(SIGTERM) }
            }
            var known: [String: Int64] = [:]
            while case .text(let text) = try await scene.ada.next() {
                let message = try JSONValue.parse(Array(text.utf8))
                if message["type"]?.string == "ack", let id = message["messageId"]?.string {
                    known[id] = message["seq"]?.int
                }
            }
            let ada = try await RoomSocket.open(
                scene.room, as: try scene.people[0].at(scene.servers[1 - scene.owner]), epoch: scene.epoch,
                since: 0)
            let handshake = try await ada.message("handshake")
            #expect(handshake["recovered"]?.bool == true)
            #expect(handshake["seq"]?.int ?? 0 >= known.values.max() ?? 0)
            var numbers: Set<Int64> = []
            for id in (1...sent).map({ "\($0)" }) {
                await ada.cheer(id)
                let number = try await ada.skip(to: "ack")["seq"]?.int ?? 0
                #expect(known[id] == nil || known[id] == number, "\(id)")
                numbers.insert(number)
            }
            #expect(numbers == Set(1...Int64(sent)))
            #expect(await scene.servers[scene.owner].child.ending() == .exited(0))
        }
    }

    @Test("leaves its rooms to its own disk where no other takes them, and ends all the same")
    func notTaken() async throws {
        try await Stage.with(.openNow, Self.seats) { stage in
            let scene = try await Scene(stage, servers: 2)
            #expect(try await scene.cheer(["1", "2"]) == [1, 2])
            let (owner, other) = (scene.servers[scene.owner], scene.servers[1 - scene.owner])
            // The socket that it passes on stays open, and so do its lease and its address for a while.
            other.child.signal(SIGSTOP)
            owner.child.signal(SIGTERM)
            _ = try await scene.ada.close()
            #expect(await owner.child.ending() == .exited(0), "\(owner.log)")
            #expect(owner.log.contains("rooms handed over rooms=0 left=1"), "\(owner.log)")
            await other.kill()
            let next = try await stage.startOne(Scene.settings(scene.owner, stage))
            try await scene.goesOn(at: next, after: 2)
        }
    }

    @Test("gives them to the one that is well")
    func skipped() async throws {
        try await Stage.with(.openNow, Self.seats) { stage in
            let scene = try await Scene(stage, servers: 3)
            #expect(try await scene.cheer(["1", "2"]) == [1, 2])
            let others = (1...2).map { scene.servers[(scene.owner + $0) % 3] }
            others[0].child.signal(SIGSTOP)
            scene.servers[scene.owner].child.signal(SIGTERM)
            try await scene.closesAll()
            try await scene.goesOn(at: others[1], after: 2)
            await others[0].kill()
            #expect(await scene.servers[scene.owner].child.ending() == .exited(0))
        }
    }

    @Test("has them on the disk of the next one before their people are sent there")
    func killed() async throws {
        try await Stage.with(.openNow, Self.seats) { stage in
            let scene = try await Scene(stage, servers: 2)
            #expect(try await scene.cheer(["1", "2"]) == [1, 2])
            let (owner, other) = (scene.servers[scene.owner], scene.servers[1 - scene.owner])
            owner.child.signal(SIGTERM)
            _ = try await scene.ada.close()
            await other.kill()
            _ = await owner.child.ending()
            let next = try await stage.startOne(Scene.settings(1 - scene.owner, stage))
            try await scene.goesOn(at: next, after: 2)
        }
    }
}
