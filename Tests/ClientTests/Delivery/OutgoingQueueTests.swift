import Contract
import Testing

@testable import Client

@Suite("The queue of outgoing messages")
struct OutgoingQueueTests {
    private func ids(_ queue: OutgoingQueue) -> [String] { queue.messages.map(\.id) }

    @Test("keeps its order, and has each message once")
    func order() throws {
        var queue = try OutgoingQueue()
        for number in [1, 2, 3, 2] { try queue.append(.numbered(number)) }
        #expect(ids(queue) == ["1", "2", "3"])
        #expect(queue.count == 3)
        try queue.acknowledge("2")
        try queue.acknowledge("7")
        #expect(ids(queue) == ["1", "3"])
    }

    @Test("refuses the newest where it is full, and has lost nothing")
    func refuses() throws {
        var queue = try OutgoingQueue(limit: 2)
        try queue.append(.numbered(1))
        try queue.append(.numbered(2))
        #expect(throws: ClientError.queueFull(limit: 2)) { try queue.append(.numbered(3)) }
        #expect(ids(queue) == ["1", "2"])
        try queue.acknowledge("1")
        try queue.append(.numbered(3))
        #expect(ids(queue) == ["2", "3"])
    }

    @Test("drops the oldest where that is the policy, and says which")
    func drops() throws {
        var queue = try OutgoingQueue(limit: 2, overflow: .dropOldest)
        try queue.append(.numbered(1))
        try queue.append(.numbered(2))
        #expect(try queue.append(.numbered(3)) == [.numbered(1)])
        #expect(ids(queue) == ["2", "3"])
    }

    @Test("keeps the latest of a type only, where that is wanted")
    func latest() throws {
        var queue = try OutgoingQueue(limit: 3)
        try queue.append(.numbered(1, type: "mood"))
        try queue.append(.numbered(2))
        try queue.append(.numbered(3, type: "mood"))
        let removed = try queue.replaceLatest(.numbered(4, type: "mood"))
        #expect(removed.map(\.id) == ["1", "3"])
        #expect(ids(queue) == ["2", "4"])
        try queue.append(.numbered(5))
        // The queue is full, yet the message takes the place of another.
        try queue.replaceLatest(.numbered(6, type: "mood"))
        #expect(ids(queue) == ["2", "5", "6"])
        #expect(throws: ClientError.queueFull(limit: 3)) {
            try queue.replaceLatest(.numbered(7, type: "new"))
        }
    }

    @Test("lets messages be taken back, one by one and all")
    func cancels() throws {
        var queue = try OutgoingQueue()
        for number in 1...3 { try queue.append(.numbered(number)) }
        #expect(try queue.cancel("2"))
        #expect(try !queue.cancel("2"))
        #expect(try queue.cancelAll() == 2)
        #expect(try queue.cancelAll() == 0)
        #expect(queue.isEmpty)
    }

    @Test(
        "takes messages up to what the server takes",
        arguments: [
            (1, 3, 4096, true), (64, 64, 0, true), (0, 3, 1, false), (65, 3, 1, false), (1, 65, 1, false),
            (1, 3, 4097, false),
        ])
    func limits(id: Int, type: Int, text: Int, isTaken: Bool) throws {
        var queue = try OutgoingQueue()
        let message = OutgoingMessage(
            id: String(repeating: "é", count: id), type: String(repeating: "t", count: type),
            text: [UInt8](repeating: 0x61, count: text))
        if isTaken {
            try queue.append(message)
        } else {
            #expect(throws: ClientError.self) { try queue.append(message) }
        }
        #expect(queue.count == (isTaken ? 1 : 0))
    }
}
