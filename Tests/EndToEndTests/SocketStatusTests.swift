import Client
import Contract
import TestKit
import Testing

@Suite("Statuses in a room, on real servers", .timeLimit(.minutes(5)))
struct SocketStatusTests {
    @Test("reach all members through whichever server, are kept for late comers, and REST shows them")
    func reaches() async throws {
        try await Stage.with { stage in
            let servers = [try await stage.startOne(), try await stage.startOne()]
            let people = try await Person.crowd(2, on: servers[0])
            let details = try await people[0].enter(stage.grid.openSlot)
            let room = try await people[1].enter(stage.grid.openSlot).roomId
            let sockets = [
                try await RoomSocket.open(room, as: try people[0].at(servers[0])),
                try await RoomSocket.open(room, as: try people[0].at(servers[1])),
                try await RoomSocket.open(room, as: try people[1].at(servers[1])),
            ]
            for socket in sockets { _ = try await socket.message("handshake") }
            // One of the two servers has the room; the other one brings it what is said there.
            for (socket, word) in [(sockets[0], "getting-ready"), (sockets[1], "ready")] {
                await socket.send("{\"type\":\"status\",\"status\":\"\(word)\"}")
                for other in sockets {
                    let told = try await other.skip(to: "status")
                    #expect(told["status"]?.string == word)
                    #expect(told["member"]?.string == details.registrationId.description)
                }
            }
            let late = try await RoomSocket.open(room, as: try people[1].at(servers[0]))
            let members = try await late.message("handshake")["members"]?.array ?? []
            #expect(members.compactMap { $0["status"]?.string } == ["ready"])
            var shown: [[MemberStatus]] = []
            for server in servers {
                let members = try await people[1].at(server).api.room(room).members
                shown.append(members.compactMap(\.status?.known))
            }
            #expect(shown.contains([.ready]), "the server of the room shows it")
            await sockets[0].send("{\"type\":\"status\",\"status\":\"dancing\"}")
            #expect(try await sockets[0].skip(to: "error")["code"]?.string == "malformed")
            await sockets[0].send("{\"type\":\"status\",\"status\":null}")
            #expect(try await sockets[2].skip(to: "status")["status"] == .null)
            for socket in sockets + [late] { await socket.drop() }
        }
    }

    @Test("outlive a server that is killed and started again, and one that is restarted")
    func restarted() async throws {
        try await Stage.with { stage in
            let server = try await stage.startOne()
            let (ada, bea, room) = try await SocketVersion2Tests.two(stage, server)
            let adas = try await RoomSocket.open(room, as: ada)
            await adas.send("{\"type\":\"status\",\"status\":\"ready\"}")
            _ = try await adas.skip(to: "status")
            await server.kill()
            let next = try await stage.startOne()
            let beas = try await RoomSocket.open(room, as: try bea.at(next))
            let members = try await beas.message("handshake")["members"]?.array ?? []
            #expect(members.compactMap { $0["status"]?.string } == ["ready"])
        }
    }

    @Test("in version 1 are dropped like every message that is not understood")
    func version1() async throws {
        try await Stage.withServer { stage, server in
            let (ada, bea, room) = try await SocketVersion2Tests.two(stage, server)
            let old = try await RoomSocket.open(room, as: ada, version: 1)
            #expect(try await old.next() == .binary("{\"type\":\"handshake\"}"))
            let beas = try await RoomSocket.open(room, as: bea)
            _ = try await beas.message("handshake")
            await old.send("{\"type\":\"status\",\"status\":\"ready\"}")
            await old.send("{\"type\":\"ale\",\"id\":\"\(room)\"}")
            // The ale follows the status, which no member heard.
            _ = try await beas.message("aleResponse")
            await beas.send("{\"type\":\"status\",\"status\":\"ready\"}")
            await beas.cheer()
            #expect(try await old.next() == .binary("{\"type\":\"aleResponse\"}"))
        }
    }
}

@Suite("The check of frames", .timeLimit(.minutes(5)))
struct FrameCheckTests {
    @Test("passes what a real room sends, and finds a member, a type or a value that is not described")
    func planted() async throws {
        try await Stage.withServer { stage, server in
            let (ada, _, room) = try await SocketVersion2Tests.two(stage, server)
            let socket = try await RoomSocket.open(room, as: ada)
            guard case .text(let text) = try await socket.next() else { throw TestError("no text") }
            #expect(FrameCheck.faults(text, version: 2) == [])
            for (old, new) in [
                ("\"present\":", "\"absent\":false,\"present\":"), ("\"you\":true,", ""),
                ("\"seq\":0", "\"seq\":-1"), ("\"seq\":0", "\"seq\":\"0\""),
                ("\"type\":\"handshake\"", "\"type\":\"hello\""),
                ("\"epoch\":", "\"era\":"), ("\"recovered\":false", "\"recovered\":null"),
                ("\"room\":\"", "\"room\":\"x"), ("\"now\":\"2", "\"now\":\"x2"),
            ] {
                let planted = text.replacing(old, with: new)
                #expect(planted != text, "\(old) is not in \(text)")
                #expect(FrameCheck.faults(planted, version: 2) != [], "\(planted)")
            }
        }
        #expect(FrameCheck.faults("{\"type\":\"handshake\"}", version: 1) == [])
        for text in ["{\"type\":\"handshake\",\"now\":1}", "{\"type\":\"ack\"}", "{}", "[]", "x"] {
            #expect(FrameCheck.faults(text, version: 1) != [], "\(text)")
        }
    }
}
