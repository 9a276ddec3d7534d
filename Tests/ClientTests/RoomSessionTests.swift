import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Testing
import WebSocket

@Suite("A session in a room")
struct RoomSessionTests {
    /// What the test wants to know of each event.
    private static func words(_ event: RoomEvent) -> String {
        switch event {
        case .connected(let handshake, let resumed):
            "connected \(handshake.room == Sample.room ? "room" : "other") \(resumed)"
        case .ale(let ale): "ale \(ale.seq)"
        case .acknowledged(_, let seq): "ack \(seq)"
        case .refused(let code, _, _): "refused \(code)"
        case .presence(_, let present): "presence \(present)"
        case .members(let members): "members \(members.count)"
        case .moved: "moved"
        case .interrupted: "interrupted"
        case .closed(let code, _): "closed \(code)"
        }
    }

    private func play(
        cheers: Int = 0, _ script: @escaping @Sendable (ScriptedRoom.ServerPart) -> Void
    ) async throws -> [String] {
        let server = try await ScriptedServer { router, loop in
            ScriptedRoom.add(to: &router, on: loop, script)
        }
        let session = try APIClient(server: Server(server.url), token: "t").session(in: Sample.room)
        for _ in 0..<cheers { await session.cheer() }
        var words: [String] = []
        for try await event in session.events { words.append(Self.words(event)) }
        return words
    }

    @Test("hears what happens, ignores what it does not know, and ends when the room closes")
    func events() async throws {
        let words = try await play { part in
            part.send(Sample.handshake())
            part.send(.presence(member: Sample.partner, present: false))
            part.send(.unknown(type: "weather"))
            part.send(.members(Sample.members))
            part.send(Sample.ale(1))
            part.send(.roomClosed)
            part.connection.close(.normal)
        }
        #expect(words == ["connected room false", "presence false", "members 2", "ale 1", "closed 1000"])
    }

    @Test("comes back after a restart, and asks for what it missed")
    func resumes() async throws {
        let words = try await play { part in
            guard part.number > 1 else {
                part.send(Sample.handshake(seq: 4))
                part.send(Sample.ale(5))
                return part.connection.close(.serviceRestart, reason: "retryAfterMs=1")
            }
            let isAsked = part.query.first("epoch") == "e1" && part.query.first("since") == "5"
            part.send(Sample.handshake(seq: 7, recovered: isAsked))
            for seq in 5...7 { part.send(Sample.ale(Int64(seq))) }
            part.connection.close(.normal)
        }
        #expect(
            words == [
                "connected room false", "ale 5", "interrupted", "connected room true", "ale 6", "ale 7",
                "closed 1000",
            ])
    }

    @Test("does not come back to a room whose time is over")
    func over() async throws {
        let words = try await play { part in
            part.send(Sample.handshake(left: .zero))
            part.connection.close(.serviceRestart, reason: "retryAfterMs=1")
        }
        #expect(words == ["connected room false", "closed 1000"])
    }

    @Test("follows its match into another room, at once")
    func moves() async throws {
        let words = try await play { part in
            guard part.number > 1 else {
                part.send(Sample.handshake())
                part.send(.moved(id: Sample.other, socketUrl: "ws://elsewhere.invalid/"))
                return part.connection.close(CloseCode(rawValue: 4200))
            }
            let room = part.query.first("id").flatMap { UUID($0) } ?? Sample.room
            part.send(Sample.handshake(room: room))
            part.connection.close(.normal)
        }
        #expect(
            words == ["connected room false", "moved", "interrupted", "connected other false", "closed 1000"])
    }

    @Test("sends an ale again, with the same messageId, until it is acknowledged")
    func retransmits() async throws {
        let words = try await play(cheers: 1) { part in
            guard let messageId = part.message?["messageId"]?.string else {
                return part.send(Sample.handshake())
            }
            // The first time, the answer is lost with the connection.
            guard part.number > 1 else {
                return part.connection.close(.serviceRestart, reason: "retryAfterMs=1")
            }
            part.send(.ack(messageId: messageId, seq: 3))
            part.connection.close(.normal)
        }
        #expect(
            words == ["connected room false", "interrupted", "connected room false", "ack 3", "closed 1000"])
    }

    @Test(
        "stops where the code says so", arguments: [1008, 1002, 4000] as [UInt16])
    func stops(code: UInt16) async throws {
        let words = try await play { part in
            part.send(Sample.handshake())
            part.connection.close(CloseCode(rawValue: code))
        }
        #expect(words == ["connected room false", "closed \(code)"])
    }

    @Test("throws the problem where it is not let in")
    func refused() async throws {
        let server = try await ScriptedServer { router, _ in
            router.on(.get, Routes.socket, .immediate { _ in .problem(.gone, "It closed.") })
        }
        let session = try APIClient(server: Server(server.url)).session(in: Sample.room)
        let error = await #expect(throws: ClientError.self) { try await session.next() }
        guard case .problem(let problem) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.name == .gone)
    }

    @Test("ends when it is left")
    func leaves() async throws {
        let server = try await ScriptedServer { router, loop in
            ScriptedRoom.add(to: &router, on: loop) { $0.send(Sample.handshake()) }
        }
        let session = try APIClient(server: Server(server.url)).session(in: Sample.room)
        _ = try await session.next()
        await session.leave()
        #expect(try await session.next() == .closed(code: 1000, reason: "left"))
        #expect(try await session.next() == nil)
    }
}
