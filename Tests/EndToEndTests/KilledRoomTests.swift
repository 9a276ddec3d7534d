import Contract
import Database
import Postgres
import PostgresTesting
import Reactor
import TestKit
import Testing

@Suite("A room of a server that is killed", .timeLimit(.minutes(5)))
struct KilledRoomTests {
    /// A room with two people, and a killed server. The second leaves before the first cheers three times.
    private struct Scene {
        let stage: Stage
        let people: [Person]
        let room: Identifier
        let epoch: String
        /// The number of processes that were killed, each with its own rooms file.
        let members: Int

        init(_ stage: Stage) async throws {
            self.stage = stage
            let server = try await stage.start()
            members = server.members.count
            people = try await Person.crowd(2, on: server)
            room = try await people[0].enter(stage.grid.openSlot).roomId
            #expect(try await people[1].enter(stage.grid.openSlot).roomId == room)
            let ada = try await RoomSocket.open(room, as: people[0])
            let bea = try await RoomSocket.open(room, as: people[1])
            epoch = try #require(try await bea.message("handshake")["epoch"]?.string)
            await bea.drop()
            for number in 1...3 {
                await ada.cheer("id \(number)")
                #expect(try await ada.skip(to: "ack")["seq"]?.int == Int64(number))
            }
            await server.kill()
        }

        /// Returns the handshake of the second person, who comes back, the numbers of the ales that it hears,
        /// and the acknowledgements of the first person's ales.
        func comeBack(to server: ServerProcess) async throws -> (
            handshake: JSONValue, ales: [Int64], acks: [Int64]
        ) {
            let bea = try await RoomSocket.open(
                room, as: try people[1].at(server), epoch: epoch, since: 0)
            let handshake = try await bea.message("handshake")
            let ada = try await RoomSocket.open(room, as: try people[0].at(server))
            var acks: [Int64] = []
            for id in ["id 2", "id 1", "new"] {
                await ada.cheer(id)
                acks.append(try await ada.skip(to: "ack")["seq"]?.int ?? 0)
            }
            var ales: [Int64] = []
            while ales.last != acks.last {
                ales.append(try await bea.skip(to: "aleResponse")["seq"]?.int ?? 0)
            }
            for socket in [ada, bea] { await socket.drop() }
            return (handshake, ales, acks)
        }
    }

    @Test(
        "goes on in the next one: members hear each ale once, and ids are acknowledged as before",
        arguments: ["1", "3"])
    func recovered(workers: String) async throws {
        try await Stage.with { stage in
            let scene = try await Scene(stage)
            let next = try await stage.start(["WORKERS": workers])
            let (handshake, ales, acks) = try await scene.comeBack(to: next)
            #expect(handshake["recovered"]?.bool == true)
            #expect(handshake["epoch"]?.string == scene.epoch)
            #expect(handshake["seq"]?.int == 3)
            #expect(ales == [1, 2, 3, 4])
            #expect(acks == [2, 1, 4])
        }
    }

    @Test("has lost its owner when the next server is ready, so that no ale waits for a killed process")
    func notEntered() async throws {
        try await Stage.withServer { stage, server in
            let people = try await Person.crowd(2, on: server)
            for person in people { _ = try await person.enter(stage.grid.openSlot) }
            let readOwners = "SELECT owner FROM rooms WHERE owner IS NOT NULL"
            func owners() async throws -> Set<Identifier> {
                try await stage.database.withConnection { connection in
                    Set(try await connection.query(readOwners).map { try $0.decode(0, Identifier.self) })
                }
            }
            let before = try await owners()
            #expect(before.count == 1)
            await server.kill()
            let next = try await stage.start()
            #expect(try await owners().isDisjoint(with: before))
            let room = try await people[0].at(next).roomOpened().roomId
            let ada = try await RoomSocket.open(room, as: people[0].at(next))
            await ada.cheer("first")
            #expect(try await ada.skip(to: "ack")["seq"]?.int == 1)
            await ada.drop()
        }
    }

    @Test("goes on also after a server that stopped in order")
    func stopped() async throws {
        try await Stage.with { stage in
            let scene = try await Scene(stage)
            await (try await stage.start()).stop()
            let (handshake, ales, _) = try await scene.comeBack(to: try await stage.start())
            #expect(handshake["recovered"]?.bool == true)
            #expect(ales == [1, 2, 3, 4])
        }
    }

    @Test("starts again, and says so, where the machine went down with it")
    func machine() async throws {
        try await Stage.with { stage in
            let scene = try await Scene(stage)
            for number in 1...scene.members {
                // The boot id is in the second word.
                let name = number == 1 ? "rooms-0" : "rooms-0-\(number)"
                let file = try MappedFile(opening: "\(stage.folder.path)/\(name)", maximumBytes: 1 << 30)
                file.store(file.load(1) ^ 1, at: 1)
            }
            let (handshake, ales, acks) = try await scene.comeBack(to: try await stage.start())
            #expect(handshake["recovered"]?.bool == false)
            #expect(handshake["epoch"]?.string != scene.epoch)
            #expect(handshake["seq"]?.int == 0)
            #expect(ales == [1, 2, 3])
            #expect(acks == [1, 2, 3])
        }
    }

    @Test("lives in memory, and one line says so, where DATA_DIR cannot be written")
    func unwritable() async throws {
        try await Stage.with(.openNow, ["DATA_DIR": "/dev/null/none"]) { stage in
            let scene = try await Scene(stage)
            let next = try await stage.start()
            let (handshake, ales, _) = try await scene.comeBack(to: next)
            #expect(handshake["recovered"]?.bool == false)
            #expect(ales == [1, 2, 3])
            for log in next.members.map(\.ownLog) {
                #expect(
                    log.split(separator: "\n").count { $0.contains("rooms are kept in memory only") } == 1)
            }
        }
    }
}
