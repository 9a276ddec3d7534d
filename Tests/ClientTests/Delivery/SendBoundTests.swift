import Contract
import Testing

@testable import Client

@Suite("A message that is worth sending for so long, or so often")
struct SendBoundTests {
    private static let patience = Duration.seconds(10)

    private static func queue(_ change: (inout ConnectionConfiguration) -> Void = { _ in }) throws
        -> SendQueue
    {
        var configuration = ConnectionConfiguration()
        change(&configuration)
        return try SendQueue(configuration, recovered: nil)
    }

    private static func policy(
        _ attempts: Int, pause: Duration = .zero, total: Duration? = nil
    ) -> RetryPolicy { RetryPolicy(attempts: attempts, pause: pause, total: total) }

    private static func names(_ steps: [SendQueue.Step]) -> [String] {
        steps.map { step in
            switch step {
            case .report(.diagnostic(let event)): event.name
            case .report(.event(let event)): RoomPlay.word(event)
            case .report: "other"
            case .transmit(let message): "transmit \(message.id)"
            case .settleOnDisk(let id): "settleOnDisk \(id)"
            case .answer(_, .success(let delivery)): "\(delivery)"
            case .answer(_, .failure(let error)): error.kind
            }
        }
    }

    @discardableResult
    private static func send(
        _ id: String, by strategy: DeliveryStrategy = .liveElseQueued, _ policy: RetryPolicy?,
        isInRoom: Bool = true, at now: Duration = .zero, to queue: inout SendQueue
    ) throws -> [SendQueue.Step] {
        try queue.send(
            .ale(id: id), by: strategy, retrying: policy, isInRoom: isInRoom, until: now + patience, at: now
        ).steps
    }

    @Test("has no bound left where it was refused, dropped or sent once")
    func nothingLeft() throws {
        var queue = try Self.queue { $0.queueLimit = 1 }
        let brief = Self.policy(1, total: .seconds(1))
        try Self.send("f", by: .fireAndForget, brief, to: &queue)
        try Self.send("l", by: .liveOnly, brief, isInRoom: false, to: &queue)
        try Self.send("q", by: .queuedOnly, nil, to: &queue)
        #expect(throws: ClientError.queueFull(limit: 1)) {
            try Self.send("r", by: .queuedOnly, brief, to: &queue)
        }
        #expect(queue.due == nil)
        #expect(queue.expire(at: .seconds(60)) == [])
    }

    @Test(
        "is given up when its time is over, whether it was sent or not, and whichever way it waits",
        arguments: [DeliveryStrategy.liveElseQueued, .queuedOnly, .liveElseLatest, .latestOnly],
        [true, false])
    func time(strategy: DeliveryStrategy, isInRoom: Bool) throws {
        var queue = try Self.queue()
        try Self.send(
            "m", by: strategy, Self.policy(9, total: .seconds(3)), isInRoom: isInRoom, to: &queue)
        if isInRoom { #expect(Self.names(queue.fill(at: .zero)) == ["transmit m"]) }
        #expect(queue.due == .seconds(3))
        #expect(queue.expire(at: .milliseconds(2_999)) == [])
        let words = Self.names(queue.expire(at: .seconds(3)))
        #expect(words.first == "deliveryFailed" && words.last == "givenUp m")
        let waits = isInRoom && strategy != .queuedOnly && strategy != .latestOnly
        #expect(words.contains("timedOut") == waits)
        #expect(queue.count == 0 && queue.due == nil)
        #expect(queue.fill(at: .seconds(60)) == [])
    }

    @Test("is not sent any more once its time is over, however late that is noticed")
    func noticedLate() throws {
        var queue = try Self.queue()
        try Self.send("m", by: .queuedOnly, Self.policy(9, total: .seconds(3)), isInRoom: false, to: &queue)
        #expect(queue.fill(at: .seconds(4)) == [])
        #expect(Self.names(queue.expire(at: .seconds(4))).last == "givenUp m")
    }

    @Test("is sent so often on one link, and given up when the last answer is overdue", arguments: [1, 2, 3])
    func attempts(most: Int) throws {
        var queue = try Self.queue()
        try Self.send("m", by: .queuedOnly, Self.policy(most), to: &queue)
        var sent = 0
        var now = Duration.zero
        while queue.count > 0, now < .seconds(60) {
            sent += queue.fill(at: now).count
            now = try #require(queue.due)
            _ = queue.expire(at: now)
        }
        #expect(sent == most)
        #expect(now == .seconds(5 * most))
        #expect(queue.due == nil)
    }

    @Test("is sent so often over all links, and given up with the link on which it was sent last")
    func links() throws {
        var queue = try Self.queue()
        try Self.send("m", Self.policy(2), to: &queue)
        #expect(Self.names(queue.fill(at: .zero)) == ["transmit m"])
        #expect(Self.names(queue.land(.network("Gone."), isFinal: false)).contains("queued"))
        #expect(Self.names(queue.fill(at: .seconds(1))) == ["transmit m"])
        let words = Self.names(queue.land(.network("Gone."), isFinal: false))
        #expect(words == ["deliveryFailed", "settleOnDisk m", "givenUp m"])
        #expect(queue.count == 0)
    }

    @Test("waits longer for an answer where its policy says so, and never less than the connection")
    func pause() throws {
        var queue = try Self.queue()
        try Self.send("a", by: .queuedOnly, Self.policy(9, pause: .seconds(8)), to: &queue)
        try Self.send("b", by: .queuedOnly, Self.policy(9, pause: .seconds(1)), to: &queue)
        _ = queue.fill(at: .zero)
        #expect(Self.names(queue.fill(at: .seconds(5))) == ["transmit b"])
        #expect(Self.names(queue.fill(at: .seconds(8))) == ["transmit a"])
    }

    @Test("makes room for the one behind it when it is given up")
    func window() throws {
        var queue = try Self.queue { $0.window = 1 }
        try Self.send("a", by: .queuedOnly, Self.policy(1), to: &queue)
        try Self.send("b", by: .queuedOnly, nil, to: &queue)
        #expect(Self.names(queue.fill(at: .zero)) == ["transmit a"])
        #expect(queue.fill(at: .seconds(5)) == [])
        _ = queue.expire(at: .seconds(5))
        #expect(Self.names(queue.fill(at: .seconds(5))) == ["transmit b"])
    }

    @Test("is over where it came too fast for the last time")
    func rate() throws {
        var queue = try Self.queue()
        try Self.send("m", by: .queuedOnly, Self.policy(2), to: &queue)
        let code = SocketErrorCode.rateLimited.rawValue
        _ = queue.fill(at: .zero)
        #expect(Self.names(queue.refused(code, "Slowly.", "m", at: .zero)) == ["deliveryFailed"])
        _ = queue.fill(at: .seconds(1))
        let words = Self.names(queue.refused(code, "Slowly.", "m", at: .seconds(1)))
        #expect(words == ["deliveryFailed", "settleOnDisk m", "refused rateLimited"])
        #expect(queue.count == 0)
    }

    @Test("that is acknowledged or taken back has no bound left, and neither has a connection that is over")
    func settled() throws {
        let brief = Self.policy(1, total: .seconds(1))
        var queue = try Self.queue()
        try Self.send("a", brief, to: &queue)
        try Self.send("b", brief, to: &queue)
        try Self.send("c", brief, to: &queue)
        _ = queue.fill(at: .zero)
        _ = queue.acknowledged("a", seq: 1, at: .zero)
        _ = queue.cancel("b")
        _ = queue.land(.cancelled, isFinal: true)
        #expect(queue.due == nil)
        #expect(queue.expire(at: .seconds(60)) == [])
    }

    @Test("loses its bound where it is sent again without one")
    func again() throws {
        var queue = try Self.queue()
        try Self.send("m", by: .queuedOnly, Self.policy(1, total: .seconds(1)), to: &queue)
        try Self.send("m", by: .queuedOnly, nil, to: &queue)
        #expect(queue.expire(at: .seconds(60)) == [])
        #expect(queue.count == 1)
    }
}
