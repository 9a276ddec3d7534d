import Contract
import Testing

@testable import Client

@Suite("The messages on their way")
struct SendQueueTests {
    private static let patience = Duration.seconds(10)

    private static func queue(
        recovered: [OutgoingMessage]? = nil, _ change: (inout ConnectionConfiguration) -> Void = { _ in }
    ) throws -> SendQueue {
        var configuration = ConnectionConfiguration()
        change(&configuration)
        return try SendQueue(configuration, recovered: recovered)
    }

    private static func ids(_ steps: [SendQueue.Step]) -> [String] {
        steps.compactMap { if case .transmit(let message) = $0 { message.id } else { nil } }
    }

    private static func names(_ steps: [SendQueue.Step]) -> [String] {
        steps.map { step in
            switch step {
            case .report(.diagnostic(let event)): event.name
            case .report(.event(let event)): RoomPlay.word(event)
            case .report: "other"
            case .transmit: "transmit"
            case .settleOnDisk: "settleOnDisk"
            case .answer(_, .success(let delivery)): "\(delivery)"
            case .answer(_, .failure(let error)): error.kind
            }
        }
    }

    @discardableResult
    private static func send(
        _ id: String, by strategy: DeliveryStrategy = .liveElseQueued, isInRoom: Bool = true,
        at now: Duration = .zero, to queue: inout SendQueue
    ) throws -> (result: PendingResult<Delivery>, steps: [SendQueue.Step]) {
        try queue.send(
            .ale(id: id), by: strategy, isInRoom: isInRoom, until: now + patience, at: now)
    }

    @Test(
        "are treated as their strategy says",
        arguments: [
            (DeliveryStrategy.liveOnly, ["transmit"], ["deliveryFailed", "network"], 0),
            (.liveElseQueued, ["queued"], ["queued", "fallbackUsed", "queued"], 1),
            (.liveElseLatest, ["queued"], ["queued", "fallbackUsed", "queued"], 1),
            (.queuedOnly, ["queued", "queued"], ["queued", "queued"], 1),
            (.latestOnly, ["queued", "queued"], ["queued", "queued"], 1),
            (.fireAndForget, ["transmit", "sent", "sent"], ["fallbackUsed", "dropped"], 0),
        ] as [(DeliveryStrategy, [String], [String], Int)])
    func strategies(
        strategy: DeliveryStrategy, connected: [String], disconnected: [String], depth: Int
    ) throws {
        var queue = try Self.queue()
        #expect(Self.names(try Self.send("m", by: strategy, to: &queue).steps) == connected)
        #expect(queue.count == depth)
        queue = try Self.queue()
        let steps = try Self.send("m", by: strategy, isInRoom: false, to: &queue).steps
        #expect(Self.names(steps) == disconnected)
        #expect(queue.count == depth)
    }

    @Test("go out in order, within the window, and are sent again when no acknowledgement comes")
    func window() throws {
        var queue = try Self.queue { $0.window = 2 }
        for id in ["a", "b", "c"] { try Self.send(id, by: .queuedOnly, to: &queue) }
        #expect(Self.ids(queue.fill(at: .zero)) == ["a", "b"])
        #expect(queue.fill(at: .seconds(4)) == [])
        #expect(queue.due == .seconds(5))
        #expect(Self.ids(queue.fill(at: .seconds(5))) == ["a", "b"])
        _ = queue.acknowledged("a", seq: 1, at: .seconds(6))
        #expect(Self.ids(queue.fill(at: .seconds(6))) == ["c"])
        #expect(queue.messages.map(\.id) == ["b", "c"])
    }

    @Test("are acknowledged once, and their sender hears it, however early that is")
    func acknowledged() async throws {
        var queue = try Self.queue()
        let result = try Self.send("m", to: &queue).result
        _ = queue.fill(at: .zero)
        let steps = queue.acknowledged("m", seq: 7, at: .seconds(1))
        #expect(
            Self.names(steps) == ["settleOnDisk", "ack 7", "sent", "acknowledged(seq: 7)", "queueFlushed"])
        #expect(steps.contains(.answer(result, .success(.acknowledged(seq: 7)))))
        #expect(queue.acknowledged("m", seq: 8, at: .seconds(1)) == [])
        #expect(queue.acknowledged == 1)
        #expect(queue.due == nil)
        #expect(queue.count == 0)
    }

    @Test("wait for the next connection where they may, and fail where they may not")
    func landed() throws {
        var queue = try Self.queue()
        let waits = try Self.send("q", to: &queue).result
        _ = queue.fill(at: .zero)
        let fails = try Self.send("l", by: .liveOnly, to: &queue).result
        let steps = queue.land(.network("Gone."), isFinal: false)
        #expect(steps.contains(.answer(waits, .success(.queued))))
        #expect(steps.contains(.answer(fails, .failure(.network("Gone.")))))
        #expect(Self.names(steps).filter { $0 == "deliveryFailed" }.count == 2)
        #expect(Self.names(steps).filter { $0 == "fallbackUsed" }.count == 1)
        #expect(Self.ids(queue.fill(at: .seconds(1))) == ["q"])
        #expect(queue.land(.network("Gone."), isFinal: false).count == 1)
    }

    @Test("fail with the end of the stay, and nothing is due any more")
    func ended() throws {
        var queue = try Self.queue()
        let result = try Self.send("m", to: &queue).result
        _ = queue.fill(at: .zero)
        _ = queue.refused(SocketErrorCode.rateLimited.rawValue, "Slowly.", "m", at: .zero)
        #expect(queue.land(.cancelled, isFinal: true) == [.answer(result, .failure(.cancelled))])
        #expect(queue.due == nil)
        #expect(queue.count == 1)
    }

    @Test("pause where they came too fast, and are not looked at meanwhile")
    func rate() throws {
        var queue = try Self.queue { $0.resendInterval = .milliseconds(500) }
        try Self.send("a", by: .queuedOnly, to: &queue)
        try Self.send("b", by: .queuedOnly, to: &queue)
        _ = queue.fill(at: .zero)
        let steps = queue.refused(SocketErrorCode.rateLimited.rawValue, "Slowly.", "a", at: .zero)
        #expect(Self.names(steps) == ["deliveryFailed"])
        #expect(queue.due == .seconds(1))
        #expect(queue.fill(at: .milliseconds(999)) == [])
        #expect(Self.ids(queue.fill(at: .seconds(1))) == ["a", "b"])
    }

    @Test("are over where the server refuses them, and errors about nothing of ours are told")
    func refused() throws {
        var queue = try Self.queue()
        let result = try Self.send("m", to: &queue).result
        _ = queue.fill(at: .zero)
        let steps = queue.refused("odd", "No.", "m", at: .zero)
        #expect(Self.names(steps) == ["deliveryFailed", "settleOnDisk", "unexpected", "refused odd"])
        #expect(steps.contains(.answer(result, .failure(.unexpected("No.")))))
        #expect(queue.count == 0)
        #expect(Self.names(queue.refused("odd", "No.", nil, at: .zero)) == ["refused odd"])
    }

    @Test("keep their sender no longer than it waits, and go on where they are queued")
    func expired() throws {
        var queue = try Self.queue()
        let queued = try Self.send("q", to: &queue).result
        let live = try Self.send("l", by: .liveOnly, to: &queue).result
        #expect(queue.expire(at: .milliseconds(9_999)) == [])
        #expect(
            queue.expire(at: .seconds(10)) == [
                .answer(queued, .success(.queued)), .answer(live, .failure(.timedOut)),
            ])
        #expect(Self.ids(queue.fill(at: .seconds(20))) == ["q"])
    }

    @Test("are forgotten where they are taken back or pushed out")
    func dropped() throws {
        var queue = try Self.queue {
            $0.queueLimit = 1
            $0.queueOverflow = .dropOldest
        }
        let first = try Self.send("a", to: &queue).result
        let steps = try Self.send("b", to: &queue).steps
        #expect(steps.contains(.answer(first, .failure(.queueFull(limit: 1)))))
        #expect(Self.names(steps) == ["deliveryFailed", "queueFull", "queued"])
        let (wasQueued, cancelled) = queue.cancel("b")
        #expect(wasQueued)
        #expect(Self.names(cancelled) == ["cancelled"])
        #expect(!queue.cancel("b").wasQueued)
    }

    @Test("follow the file, which may have dropped what was settled meanwhile")
    func file() throws {
        let old = OutgoingMessage.ale(id: "old")
        var queue = try Self.queue(recovered: [old])
        let appended = DiskQueue.Appended(isNew: true, dropped: [old, .ale(id: "settled")])
        let steps = try queue.send(
            .ale(id: "new"), by: .queuedOnly, onDisk: appended, isInRoom: false, until: .zero, at: .zero
        ).steps
        #expect(Self.names(steps) == ["deliveryFailed", "queued", "queued"])
        #expect(queue.messages.map(\.id) == ["new"])
        let known = DiskQueue.Appended(isNew: false, dropped: [])
        _ = try queue.send(
            .ale(id: "known"), by: .queuedOnly, onDisk: known, isInRoom: false, until: .zero, at: .zero)
        #expect(queue.messages.map(\.id) == ["new"])
    }

    @Test("have no sender any more where the connection was closed while the disk was waited for")
    func closed() throws {
        var queue = try Self.queue()
        let (result, steps) = try queue.send(
            .ale(id: "m"), by: .liveElseQueued, isInRoom: false, closedError: .cancelled, until: .zero,
            at: .zero)
        #expect(steps.last == .answer(result, .failure(.cancelled)))
        #expect(queue.messages.map(\.id) == ["m"])
        #expect(queue.due == nil)
    }
}
