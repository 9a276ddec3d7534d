import Client
import ClientTesting
import Contract
import Glibc
import HTTPServer
import Reactor
import TestKit
import Testing
import WebSocket

@Suite("A message that is sent")
struct SendingTests {
    /// Acknowledges every ale with its number, from 1.
    private static func acknowledge(_ part: ScriptedRoom.ServerPart, _ count: Lock<Int64>) {
        guard let messageId = part.messageIdAfterHandshake() else { return }
        part.send(.ack(messageId: messageId, seq: count.countUp()))
    }

    private func acknowledging(
        configuration: (inout ConnectionConfiguration) -> Void = { _ in }
    ) async throws -> RoomPlay {
        let count = Lock<Int64>(0)
        return try await RoomPlay(configuration: configuration) { Self.acknowledge($0, count) }
    }

    @Test(
        "arrives at once where there is a connection, by each strategy that waits for that",
        arguments: [DeliveryStrategy.liveOnly, .liveElseQueued, .liveElseLatest])
    func live(strategy: DeliveryStrategy) async throws {
        let play = try await acknowledging()
        try await play.connection.waitUntilConnected()
        #expect(try await play.connection.send(.ale(), by: strategy) == .acknowledged(seq: 1))
        #expect(await play.connection.queueDepth == 0)
        #expect(await play.connection.counters.acknowledged == 1)
        await play.connection.stop()
    }

    @Test("fails at once without a connection, where it may not wait")
    func notConnected() async throws {
        let play = try await acknowledging()
        let error = await #expect(throws: ClientError.self) {
            try await play.connection.send(.ale(), by: .liveOnly)
        }
        #expect(error?.kind == "network")
        #expect(try await play.connection.send(.ale(), by: .fireAndForget) == .dropped)
        #expect(await play.connection.queueDepth == 0)
    }

    @Test("waits without a connection, in order, and leaves when there is one")
    func queued() async throws {
        let sent = Lock<[String]>([])
        let play = try await RoomPlay { part in
            guard let messageId = part.messageIdAfterHandshake() else { return }
            sent.withLock { $0.append(messageId) }
            part.send(.ack(messageId: messageId, seq: Int64(sent.withLock { $0.count })))
        }
        let ids = (0..<100).map { "m\($0)" }
        for (index, id) in ids.enumerated() {
            let strategy = index % 2 == 0 ? DeliveryStrategy.liveElseQueued : .queuedOnly
            #expect(try await play.connection.send(.ale(id: id), by: strategy) == .queued)
        }
        #expect(await play.connection.queueDepth == 100)
        try await play.connection.flush()
        #expect(sent.withLock { $0 } == ids)
        await play.connection.stop()
    }

    @Test("gives way to a later one of its type, where only the latest waits, and not to one that is queued")
    func latest() async throws {
        let play = try await acknowledging()
        let connection = play.connection
        _ = try await connection.send(.ale(id: "first"), by: .queuedOnly)
        _ = try await connection.send(.ale(id: "second"), by: .latestOnly)
        _ = try await connection.send(.ale(id: "third"), by: .liveElseLatest)
        #expect(await connection.queuedMessages.map(\.id) == ["first", "third"])
    }

    @Test("replaces no other message if it is sent at once, though only the latest would wait")
    func liveLatest() async throws {
        let play = try await acknowledging()
        let connection = play.connection
        try await connection.waitUntilConnected()
        async let first = connection.send(.ale(), by: .liveElseLatest)
        async let second = connection.send(.ale(), by: .liveElseLatest)
        #expect(Set([try await first, try await second]) == [.acknowledged(seq: 1), .acknowledged(seq: 2)])
        await connection.stop()
    }

    @Test("waits on disk where a path is given, for the next process too")
    func disk() async throws {
        let folder = TemporaryFolder(mode: 0o700)
        let path = "\(folder.path)/queue"
        do {
            let play = try await acknowledging { $0.queuePath = path }
            _ = try await play.connection.send(.ale(id: "m"), by: .liveElseQueued)
        }
        let next = try await acknowledging { $0.queuePath = path }
        #expect(await next.connection.queuedMessages.map(\.id) == ["m"])
        try await next.connection.flush()
        #expect(await next.connection.counters.acknowledged == 1)
        await next.connection.stop()
    }

    @Test("can be taken back, one by one and all together")
    func cancel() async throws {
        let play = try await acknowledging()
        let connection = play.connection
        for id in ["a", "b", "c"] { _ = try await connection.send(.ale(id: id), by: .queuedOnly) }
        #expect(try await connection.cancel("b"))
        #expect(try await !connection.cancel("b"))
        #expect(try await connection.cancelAll() == 2)
        #expect(await connection.queueDepth == 0)
    }

    @Test("is refused by a full queue, or pushes the oldest out, as the policy says")
    func full() async throws {
        let strict = try await acknowledging { $0.queueLimit = 2 }
        for id in ["a", "b"] { _ = try await strict.connection.send(.ale(id: id), by: .queuedOnly) }
        await #expect(throws: ClientError.queueFull(limit: 2)) {
            try await strict.connection.send(.ale(id: "c"), by: .queuedOnly)
        }
        #expect(await strict.connection.cheer() == nil)
        let loose = try await acknowledging {
            $0.queueLimit = 2
            $0.queueOverflow = .dropOldest
        }
        for id in ["a", "b", "c"] { _ = try await loose.connection.send(.ale(id: id), by: .queuedOnly) }
        #expect(await loose.connection.queuedMessages.map(\.id) == ["b", "c"])
    }

    @Test("is sent again with the same messageId on the next connection, and its sender hears that it waits")
    func lost() async throws {
        let seen = Lock<[String]>([])
        let play = try await RoomPlay { part in
            guard let messageId = part.messageIdAfterHandshake() else { return }
            seen.withLock { $0.append("\(part.number) \(messageId)") }
            guard part.number > 1 else { return part.connection.close(.serviceRestart) }
            part.send(.ack(messageId: messageId, seq: 1))
        }
        try await play.connection.waitUntilConnected()
        let diagnostics = play.connection.diagnostics
        #expect(try await play.connection.send(.ale(id: "m")) == .queued)
        let fallback = await diagnostics.first { if case .fallbackUsed = $0.event { true } else { false } }
        #expect(fallback?.event == .fallbackUsed(type: "ale", from: .live, to: .queue))
        play.clock.advance(by: ReconnectWait.longest)
        try await play.connection.flush()
        #expect(seen.withLock { $0 } == ["1 m", "2 m"])
        await play.connection.stop()
    }

    @Test("that may not wait fails where the connection is lost before it is acknowledged")
    func lostLive() async throws {
        let play = try await RoomPlay { part in
            if part.message == nil { return part.send(Sample.handshake()) }
            part.connection.close(.serviceRestart)
        }
        try await play.connection.waitUntilConnected()
        let error = await #expect(throws: ClientError.self) {
            try await play.connection.send(.ale(), by: .liveOnly)
        }
        #expect(error?.kind == "network")
        await play.connection.stop()
    }

    @Test("is sent again on a link that lives, where no acknowledgement comes")
    func resent() async throws {
        let seen = Lock<[String]>([])
        let (details, heard) = AsyncStream.makeStream(of: Int.self)
        let play = try await RoomPlay { part in
            guard let messageId = part.messageIdAfterHandshake() else { return }
            let count = seen.withLock { seen in
                seen.append(messageId)
                return seen.count
            }
            if count == 2 { part.send(.ack(messageId: messageId, seq: 1)) }
            heard.yield(count)
        }
        try await play.connection.waitUntilConnected()
        _ = try await play.connection.send(.ale(id: "m"), by: .queuedOnly)
        for await count in details where count == 1 { break }
        play.clock.advance(by: .seconds(5))
        try await play.connection.flush()
        #expect(seen.withLock { $0 } == ["m", "m"])
        await play.connection.stop()
    }

    @Test("is sent again later where it came too fast, and fails with that where it may not wait")
    func rate() async throws {
        let count = Lock(0)
        let play = try await RoomPlay { part in
            guard let messageId = part.messageIdAfterHandshake() else { return }
            let isTooFast = count.countUp() <= 2
            part.send(
                isTooFast
                    ? .error(code: "rateLimited", detail: "Slowly.", messageId: messageId)
                    : .ack(messageId: messageId, seq: 1))
        }
        let connection = play.connection
        try await connection.waitUntilConnected()
        let error = await #expect(throws: ClientError.self) {
            try await connection.send(.ale(), by: .liveOnly)
        }
        #expect(error?.kind == "problem:too-many-requests")
        let diagnostics = connection.diagnostics
        _ = try await connection.send(.ale(), by: .queuedOnly)
        let failed = await diagnostics.first {
            if case .deliveryFailed = $0.event { true } else { false }
        }
        #expect(
            failed?.event == .deliveryFailed(type: "ale", error: "problem:too-many-requests", willRetry: true)
        )
        play.clock.advance(by: .seconds(1))
        try await connection.flush()
        #expect(count.withLock { $0 } == 3)
        await connection.stop()
    }

    @Test("that waits for the connection is tried again until it has arrived, so often and no more")
    func whenReady() async throws {
        let count = Lock(0)
        let play = try await RoomPlay { part in
            guard let messageId = part.messageIdAfterHandshake() else { return }
            count.withLock { $0 += 1 }
            guard part.number == 3 else { return part.connection.close(.serviceRestart) }
            part.send(.ack(messageId: messageId, seq: 9))
        }
        let time = Task { [states = play.connection.states, clock = play.clock] in
            for await state in states {
                if case .waiting = state { clock.advance(by: ReconnectWait.longest) }
            }
        }
        let connection = play.connection
        await #expect(throws: ClientError.self) {
            try await connection.sendWhenReady(.ale(id: "x"), attempts: 1)
        }
        #expect(try await connection.sendWhenReady(.ale(id: "m"), attempts: 2, timeout: .seconds(600)) == 9)
        #expect(count.withLock { $0 } == 3)
        await connection.stop()
        await time.value
    }

    @Test("is given up while there is no connection, and its readers hear it", arguments: [true, false])
    func givenUp(isAle: Bool) async throws {
        let play = try await RoomPlay { part in
            if part.message == nil { part.connection.close(.serviceRestart) }
        }
        let (connection, events) = (play.connection, play.connection.events)
        let policy = RetryPolicy(attempts: 9, pause: .zero, total: .seconds(3))
        let id: String?
        if isAle {
            id = await connection.cheer(retrying: policy)
        } else {
            #expect(try await connection.send(.ale(id: "m"), by: .queuedOnly, retrying: policy) == .queued)
            id = "m"
        }
        #expect(await connection.queueDepth == 1)
        play.clock.advance(by: .seconds(3))
        let told = await events.first { if case .givenUp = $0 { true } else { false } }
        #expect(told == id.map { .givenUp(messageId: $0) })
        #expect(await connection.queueDepth == 0)
        await connection.stop()
    }
}
