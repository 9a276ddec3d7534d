import Contract
import Glibc
import PostgresTesting
import Reactor
import Testing

@Suite("A server that ends beside others", .timeLimit(.minutes(5)))
struct HandOverTests {
    @Test("hands its rooms over: all come back through another one, and no ale is lost or doubled")
    func handedOver() async throws {
        try await HandOverScene.with(servers: 2) { scene in
            #expect(try await scene.cheer(["1", "2", "3"]) == [1, 2, 3])
            let owner = scene.servers[scene.owner]
            owner.child.signal(SIGTERM)
            try await scene.closesAll()
            try await scene.goesOn(at: scene.servers[1 - scene.owner], after: 3)
            #expect(await owner.child.ending() == .exited(0), "\(owner.log)")
            #expect(owner.log.contains("rooms handed over rooms=1 left=0"), "\(owner.log)")
        }
    }

    @Test("or goes on, hands the room over that an operator moves: nothing is lost, and it can come back")
    func moved() async throws {
        try await HandOverScene.with(servers: 2) { scene in
            #expect(try await scene.cheer(["1", "2", "3"]) == [1, 2, 3])
            let (owner, other) = (scene.servers[scene.owner], scene.servers[1 - scene.owner])
            try await scene.move(in: scene.stage.database.configuration)
            try await scene.closesAll()
            try await scene.goesOn(at: other, after: 3)
            #expect(owner.log.contains("room moved"), "\(owner.log)")
            #expect(try await Metric.read("rooms_handed_over_total", from: owner) == 1)
            // The log goes on where it was: four ales by now.
            try await scene.move(in: scene.stage.database.configuration)
            try await within("the room at its first server") {
                while try await Metric.read("rooms", from: owner) < 1 { try Task.checkCancellation() }
            }
            let ada = try await RoomSocket.open(
                scene.room, as: try scene.people[0].at(owner), epoch: scene.epoch, since: 4)
            let handshake = try await ada.message("handshake")
            #expect(handshake["recovered"]?.bool == true && handshake["seq"]?.int == 4)
        }
    }

    @Test("acknowledges no ale that the next one does not know, whenever it ends")
    func underLoad() async throws {
        try await HandOverScene.with(servers: 2) { scene in
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
        try await HandOverScene.with(servers: 2) { scene in
            #expect(try await scene.cheer(["1", "2"]) == [1, 2])
            let (owner, other) = (scene.servers[scene.owner], scene.servers[1 - scene.owner])
            // The socket that it passes on stays open, and so do its lease and its address for a while.
            try await other.standStill()
            owner.child.signal(SIGTERM)
            _ = try await scene.ada.close()
            #expect(await owner.child.ending() == .exited(0), "\(owner.log)")
            #expect(owner.log.contains("rooms handed over rooms=0 left=1"), "\(owner.log)")
            await other.kill()
            let next = try await scene.stage.startOne(HandOverScene.settings(scene.owner, scene.stage))
            try await scene.goesOn(at: next, after: 2)
        }
    }

    @Test("gives them to the one that is well")
    func skipped() async throws {
        try await HandOverScene.with(servers: 3) { scene in
            #expect(try await scene.cheer(["1", "2"]) == [1, 2])
            let others = (1...2).map { scene.servers[(scene.owner + $0) % 3] }
            try await others[0].standStill()
            scene.servers[scene.owner].child.signal(SIGTERM)
            try await scene.closesAll()
            try await scene.goesOn(at: others[1], after: 2)
            await others[0].kill()
            #expect(await scene.servers[scene.owner].child.ending() == .exited(0))
        }
    }

    @Test("tells those who came through it to another's room to come back, and when")
    func passage() async throws {
        try await HandOverScene.with(servers: 2) { scene in
            let guest = scene.servers[1 - scene.owner]
            #expect(try await scene.cheer(["1", "2"]) == [1, 2])
            #expect(try await Metric.read("sockets_tunnelled", from: guest) == 1)
            guest.child.signal(SIGTERM)
            let reason = try await scene.bea.closes(with: 1012)
            #expect(RetryAfter.read(reason) != nil, "\(reason)")
            #expect(try await scene.bea.next() == .ended)
            #expect(await guest.child.ending() == .exited(0), "\(guest.log)")
            // The room has not noticed more than that she is gone.
            #expect(try await scene.cheer(["3"]) == [3])
        }
    }

    @Test("has them on the disk of the next one before their people are sent there")
    func killed() async throws {
        try await HandOverScene.with(servers: 2) { scene in
            #expect(try await scene.cheer(["1", "2"]) == [1, 2])
            let (owner, other) = (scene.servers[scene.owner], scene.servers[1 - scene.owner])
            owner.child.signal(SIGTERM)
            _ = try await scene.ada.close()
            await other.kill()
            _ = await owner.child.ending()
            let next = try await scene.stage.startOne(HandOverScene.settings(1 - scene.owner, scene.stage))
            try await scene.goesOn(at: next, after: 2)
        }
    }
}
