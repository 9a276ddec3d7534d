import Testing

@testable import Client

@Suite("The callers that wait")
struct WatchesTests {
    @Test("are answered at once where the goal is reached already")
    func reached() async throws {
        var watches = Watches()
        try await watches.add(.inRoom, until: nil, .init(isInRoom: true)).value()
        try await watches.add(.emptyQueue, until: nil, .init(queueDepth: 0)).value()
        #expect(watches.due == nil)
    }

    @Test("are answered when the goal is reached, each by its own")
    func later() async throws {
        var watches = Watches()
        let room = watches.add(.inRoom, until: .seconds(9), .init(queueDepth: 1))
        let queue = watches.add(.emptyQueue, until: .seconds(5), .init(queueDepth: 1))
        watches.check(.init(isInRoom: true, queueDepth: 1))
        try await room.value()
        #expect(watches.due == .seconds(5))
        watches.check(.init(isInRoom: true))
        try await queue.value()
        #expect(watches.due == nil)
    }

    @Test("time out at their deadline, and not before")
    func deadline() async throws {
        var watches = Watches()
        let result = watches.add(.inRoom, until: .seconds(5), .init())
        watches.expire(at: .milliseconds(4_999))
        #expect(watches.due == .seconds(5))
        watches.expire(at: .seconds(5))
        #expect(watches.due == nil)
        await #expect(throws: ClientError.timedOut) { try await result.value() }
    }

    @Test("get the error of a closed connection, unless the goal is reached")
    func closed() async throws {
        var watches = Watches()
        let result = watches.add(.inRoom, until: nil, .init())
        watches.check(.init(closedError: .cancelled))
        await #expect(throws: ClientError.cancelled) { try await result.value() }
        try await watches.add(.emptyQueue, until: nil, .init(closedError: .cancelled)).value()
    }

    @Test("are no more than those that wait")
    func removed() {
        var watches = Watches()
        let result = watches.add(.inRoom, until: .seconds(5), .init())
        watches.remove(result)
        #expect(watches.due == nil)
    }

    @Test("see a proof in an answer or in a new entry, and only in the room")
    func proof() {
        let before = Watches.Facts(isInRoom: true, roundTrips: 3, reconnects: 1)
        let goal = Watches.Goal.proof(after: before)
        func isReached(_ isInRoom: Bool, _ roundTrips: Int, _ reconnects: Int) -> Bool {
            goal.result(.init(isInRoom: isInRoom, roundTrips: roundTrips, reconnects: reconnects)) != nil
        }
        #expect(!isReached(true, 3, 1))
        #expect(isReached(true, 4, 1))
        #expect(isReached(true, 3, 2))
        #expect(!isReached(false, 4, 2))
    }
}
