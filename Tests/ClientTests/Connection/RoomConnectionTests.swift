import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import TestKit
import Testing
import WebSocket

@Suite("A stay in a room")
struct RoomConnectionTests {
    private func play(
        cheers: Int = 0, _ script: @escaping @Sendable (ScriptedRoom.ServerPart) -> Void
    ) async throws -> [String] {
        let play = try await RoomPlay(script)
        for _ in 0..<cheers { await play.connection.cheer() }
        return await play.events()
    }

    @Test("hears what happens, ignores what it does not know, and ends when the room closes")
    func events() async throws {
        let words = try await play { part in
            part.send(Sample.handshake())
            part.send(.presence(member: Sample.partner, present: false))
            part.send(.unknown(type: "weather"))
            part.send(.members(Sample.members))
            part.send(.checkIn(member: Sample.partner, checkIn: "Ready"))
            part.send(.checkIn(member: Sample.partner, checkIn: nil))
            part.send(.outcome(member: Sample.me, outcome: .partly, note: "Half"))
            part.send(Sample.ale(1))
            part.send(.roomClosed)
            part.connection.close(.normal)
        }
        #expect(
            words == [
                "connected room false", "presence false", "members 2", "checkIn Ready", "checkIn back",
                "outcome partly Half", "ale 1", "closed room",
            ])
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
                "closed room",
            ])
    }

    @Test("does not come back to a room whose time is over")
    func over() async throws {
        let words = try await play { part in
            part.send(Sample.handshake(left: .zero))
            part.connection.close(.serviceRestart, reason: "retryAfterMs=1")
        }
        #expect(words == ["connected room false", "closed room"])
    }

    @Test("follows its match into another room, at once")
    func moves() async throws {
        let words = try await play { part in
            guard part.number > 1 else {
                part.send(Sample.handshake())
                part.send(.moved(id: Sample.other, socketUrl: "ws://elsewhere.invalid/"))
                return part.connection.close(CloseCode(rawValue: 4200))
            }
            let room = part.query.first("id").flatMap { Identifier($0) } ?? Sample.room
            part.send(Sample.handshake(room: room))
            part.connection.close(.normal)
        }
        #expect(
            words == ["connected room false", "moved", "interrupted", "connected other false", "closed room"])
    }

    @Test("follows its room to another server, and loses and repeats nothing")
    func changesServer() async throws {
        let ids = Lock<[String]>([])
        let next = try await ScriptedServer { router, loop in
            ScriptedRoom.add(to: &router, on: loop) { part in
                if let messageId = part.message?["messageId"]?.string {
                    ids.withLock { $0.append(messageId) }
                    part.send(.ack(messageId: messageId, seq: 7))
                    return part.connection.close(.normal)
                }
                let names = ["token", "server", "epoch", "since"]
                let isAsked = names.map { part.query.first($0) } == ["t", "b", "e1", "5"]
                part.send(Sample.handshake(seq: 6, recovered: isAsked))
                for seq in 5...6 { part.send(Sample.ale(Int64(seq))) }
            }
        }
        let url = "ws://127.0.0.1:\(next.port)/socket?id=\(Sample.room)&token=t&server=b"
        let first = try await ScriptedServer { router, loop in
            ScriptedRoom.add(to: &router, on: loop) { part in
                guard let messageId = part.message?["messageId"]?.string else {
                    part.send(Sample.handshake(seq: 4))
                    return part.send(Sample.ale(5))
                }
                // The message is in the room's hands, and is not acknowledged.
                ids.withLock { $0.append(messageId) }
                part.send(.moved(id: Sample.room, socketUrl: url))
                part.connection.close(CloseCode(rawValue: 4200))
            }
        }
        let old = "ws://127.0.0.1:\(first.port)/socket?id=\(Sample.room)&token=t&server=a"
        var configuration = ConnectionConfiguration()
        configuration.clock = ManualClock()
        let connection = try RoomConnection(.ticket(url: old), configuration: configuration)
        await connection.cheer()
        let events = connection.events
        await connection.start()
        var words: [String] = []
        for await event in events {
            if case .interrupted(_, let wait) = event { #expect(wait == .zero) }
            words.append(RoomPlay.word(event))
        }
        #expect(
            words == [
                "connected room false", "ale 5", "moved", "interrupted", "connected room true", "ale 6",
                "ack 7", "closed room",
            ])
        let sent = ids.withLock { $0 }
        #expect(sent.count == 2 && Set(sent).count == 1)
    }

    @Test("tells the balancer where its room is now, and keeps its token to the server that it was given")
    func balancerHint() async throws {
        let words = try await play { part in
            guard part.number > 1 else {
                part.send(Sample.handshake())
                let url = "ws://elsewhere.invalid/socket?id=\(Sample.room)&token=t&server=b"
                part.send(.moved(id: Sample.room, socketUrl: url))
                return part.connection.close(CloseCode(rawValue: 4200))
            }
            part.send(Sample.handshake(recovered: part.query.first("server") == "b"))
            part.connection.close(.normal)
        }
        #expect(
            words == ["connected room false", "moved", "interrupted", "connected room true", "closed room"])
    }

    @Test("sends an ale again, with the same messageId, until it is acknowledged")
    func retransmits() async throws {
        let words = try await play(cheers: 1) { part in
            guard let messageId = part.messageIdAfterHandshake() else { return }
            // The first time, the answer is lost with the connection.
            guard part.number > 1 else {
                return part.connection.close(.serviceRestart, reason: "retryAfterMs=1")
            }
            part.send(.ack(messageId: messageId, seq: 3))
            part.connection.close(.normal)
        }
        #expect(
            words == ["connected room false", "interrupted", "connected room false", "ack 3", "closed room"])
    }

    @Test(
        "ends or comes back as the close code says",
        arguments: [
            (1000, "room"), (1001, nil), (1002, "1002"), (1003, "1003"), (1007, "1007"), (1008, "1008"),
            (1009, "1009"), (1011, nil), (1012, nil), (1013, nil), (3000, nil), (4000, "4000"),
            (4099, "4099"), (4100, nil), (4101, nil), (4102, nil), (4199, nil), (4200, nil), (4299, nil),
        ] as [(UInt16, String?)])
    func closeCodes(code: UInt16, end: String?) async throws {
        let words = try await play { part in
            part.send(Sample.handshake())
            part.connection.close(part.number == 1 ? CloseCode(rawValue: code) : .normal)
        }
        let again = ["connected room false", "interrupted", "connected room false", "closed room"]
        #expect(words == (end.map { ["connected room false", "closed \($0)"] } ?? again))
    }

    @Test("has states in a fixed order, and the one that it is in comes first")
    func states() async throws {
        let play = try await RoomPlay { part in
            part.send(Sample.handshake())
            part.connection.close(part.number == 1 ? .serviceRestart : .normal)
        }
        let states = play.connection.states
        await play.connection.start()
        var words: [String] = []
        for await state in states {
            words.append(RoomPlay.word(state))
            if case .waiting = state { play.clock.advance(by: ReconnectWait.longest) }
        }
        #expect(
            words == [
                "idle", "connecting", "connected", "waiting", "connecting", "connected", "closed room",
            ])
        #expect(await play.connection.states.first { _ in true } == .closed(.roomClosed))
    }

    @Test(
        "is closed with the problem where it is not let in",
        arguments: [ProblemName.gone, .notFound, .unauthenticated])
    func refused(name: ProblemName) async throws {
        let server = try await ScriptedServer(.get, Routes.socket) { _ in .problem(name, "No.") }
        let connection = try APIClient(server: Server(server.url)).connection(in: Sample.room)
        let states = connection.states
        await connection.start()
        var words: [String] = []
        for await state in states { words.append(RoomPlay.word(state)) }
        #expect(words == ["idle", "connecting", "closed refused problem:\(name.rawValue)"])
        let error = await #expect(throws: ClientError.self) { try await connection.waitUntilConnected() }
        #expect(error?.kind == "problem:\(name.rawValue)")
    }

    @Test("is tried again where the server is full or going away, after the wait that it asks for")
    func unavailable() async throws {
        let count = Lock(0)
        let server = try await ScriptedServer(.get, Routes.socket) { _ in
            guard count.countUp() == 1 else { return .problem(.gone, "It closed.") }
            // The server answers as a proxy that knows nothing of problem documents.
            return HTTPResponse(status: 503, headers: ["Retry-After": "7"], body: Array("oops".utf8))
        }
        let clock = ManualClock()
        var configuration = ConnectionConfiguration()
        configuration.clock = clock
        let connection = try APIClient(server: Server(server.url))
            .connection(in: Sample.room, configuration: configuration)
        let events = connection.events
        await connection.start()
        var waits: [Duration] = []
        for await event in events {
            guard case .interrupted(_, let wait) = event else { continue }
            waits.append(wait)
            clock.advance(by: wait)
        }
        #expect(waits.count == 1)
        #expect(waits.allSatisfy { $0 >= .seconds(7) })
    }

    @Test("ends when it is left, whatever it is doing")
    func leaves() async throws {
        let play = try await RoomPlay { $0.send(Sample.handshake()) }
        try await play.connection.waitUntilConnected()
        let events = play.connection.events
        await play.connection.stop()
        var words: [String] = []
        for await event in events { words.append(RoomPlay.word(event)) }
        #expect(words == ["closed left"])
        await play.connection.start()
        #expect(await play.connection.state == .closed(.left))
    }

    @Test("keeps the newest events for a reader that is too slow, and says how many it has dropped")
    func slowReader() async throws {
        let play = try await RoomPlay {
            $0.eventBuffer = 4
        } _: { part in
            part.send(Sample.handshake())
            for seq in 1...10 { part.send(Sample.ale(Int64(seq))) }
            part.connection.close(.normal)
        }
        let (slow, states) = (play.connection.events, play.connection.states)
        await play.connection.start()
        for await _ in states {}
        var words: [String] = []
        for await event in slow { words.append(RoomPlay.word(event)) }
        #expect(words == ["missed 8", "ale 8", "ale 9", "ale 10", "closed room"])
    }

    @Test("waits at a server that is not there until it is, and enters then")
    func restart() async throws {
        let port: UInt16
        do {
            let server = try await ScriptedServer { _, _ in }
            port = server.port
        }
        let clock = ManualClock()
        var configuration = ConnectionConfiguration()
        configuration.clock = clock
        let connection = try APIClient(server: Server("http://127.0.0.1:\(port)"), token: "t")
            .connection(in: Sample.room, configuration: configuration)
        let states = connection.states
        await connection.start()
        _ = await states.first { if case .waiting = $0 { true } else { false } }
        #expect(await connection.health == .unhealthy(.checkNetwork))
        let server = try await ScriptedServer(port: port) { router, loop in
            ScriptedRoom.add(to: &router, on: loop) { $0.send(Sample.handshake()) }
        }
        clock.advance(by: ReconnectWait.longest)
        try await connection.waitUntilConnected()
        #expect(server.port == port)
        await connection.stop()
    }

    @Test("is tried at once when the process goes on, or the network has changed", arguments: [true, false])
    func resumed(isSuspension: Bool) async throws {
        let play = try await RoomPlay { part in
            part.send(Sample.handshake())
            if part.number == 1 { part.connection.close(.serviceRestart, reason: "retryAfterMs=3600000") }
            if part.number == 2 { part.connection.close(.normal) }
        }
        let states = play.connection.states
        await play.connection.start()
        _ = await states.first { if case .waiting = $0 { true } else { false } }
        if isSuspension {
            await play.connection.resumed()
        } else {
            await play.connection.networkChanged()
        }
        #expect(
            await play.connection.states.first { if case .closed = $0 { true } else { false } }
                == .closed(.roomClosed))
    }

    @Test("waits to be connected as long as it is told to")
    func patience() async throws {
        let play = try await RoomPlay { _ in }
        let connection = play.connection
        // The clock advances until the wait has begun, and is over.
        let time = Task { [clock = play.clock] in
            while !Task.isCancelled {
                clock.advance(by: .seconds(1))
                await Task.yield()
            }
        }
        await #expect(throws: ClientError.timedOut) {
            try await connection.waitUntilConnected(timeout: .seconds(5))
        }
        time.cancel()
        let cancelled = Task { try await connection.waitUntilConnected() }
        cancelled.cancel()
        await #expect(throws: ClientError.cancelled) { try await cancelled.value }
        await connection.stop()
    }
}

/// A duration longer than any wait that no server has asked for.
enum ReconnectWait {
    static let longest = Duration.seconds(31)
}
