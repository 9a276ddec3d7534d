import Testing

@testable import Client
@testable import FlakyNetwork

@Suite("A queue, whatever is done with it")
struct QueuePropertyTests {
    /// A model of the queue, without a file.
    private struct Model {
        var messages: [OutgoingMessage] = []
        let limit: Int
        let overflow: OutgoingQueue.OverflowPolicy

        /// Adds a message, and returns whether it was accepted.
        mutating func add(_ message: OutgoingMessage, replacing: Bool) -> Bool {
            if messages.contains(where: { $0.id == message.id }) { return true }
            var rest = replacing ? messages.filter { $0.type != message.type } : messages
            if rest.count >= limit {
                if overflow == .refuseNewest { return false }
                rest.removeFirst(rest.count - limit + 1)
            }
            messages = rest + [message]
            return true
        }
    }

    @Test(
        "is what its model is, also after a crash at any byte",
        arguments: [.refuseNewest, .dropOldest] as [OutgoingQueue.OverflowPolicy], 0..<6)
    func model(overflow: OutgoingQueue.OverflowPolicy, round: Int) throws {
        let seed = UInt64.random(in: 0 ... .max)
        var dice = FaultDice(seed: seed)
        let file = QueueFile()
        let limit = Int.random(in: 1...8, using: &dice)
        var model = Model(limit: limit, overflow: overflow)
        var queue: OutgoingQueue? = try OutgoingQueue(limit: limit, overflow: overflow, path: file.path)
        var bytes = try file.bytes
        for index in 0..<150 {
            let before = model.messages
            let length = dice.happens(0.1) ? Int.random(in: 0...4096, using: &dice) : 20
            let type = dice.happens(0.5) ? "ale" : "mood"
            let message = OutgoingMessage.numbered(
                Int.random(in: 0...(index + 1), using: &dice), type: type, bytes: length)
            let known = model.messages.randomElement(using: &dice)?.id ?? "none"
            let roll = Int.random(in: 0..<20, using: &dice)
            switch roll {
            case 0..<9, 9..<12:
                let isTaken = model.add(message, replacing: roll >= 9)
                do throws(ClientError) {
                    if roll < 9 { try queue?.append(message) } else { try queue?.replaceLatest(message) }
                    #expect(isTaken, "seed \(seed), step \(index)")
                } catch {
                    #expect(!isTaken && error == .queueFull(limit: limit), "seed \(seed), step \(index)")
                }
            case 12..<15:
                try queue?.acknowledge(known)
                model.messages.removeAll { $0.id == known }
            case 15..<17:
                #expect(try queue?.cancel(known) == before.contains { $0.id == known }, "seed \(seed)")
                model.messages.removeAll { $0.id == known }
            case 17 where dice.happens(0.3):
                #expect(try queue?.cancelAll() == before.count, "seed \(seed)")
                model.messages = []
            default:
                queue = nil
                queue = try OutgoingQueue(limit: limit, overflow: overflow, path: file.path)
            }
            #expect(queue?.messages == model.messages, "seed \(seed), step \(index)")
            let after = try file.bytes
            expectCrashesSafe(from: bytes, to: after, before, model.messages, "seed \(seed), step \(index)")
            bytes = after
        }
    }

    /// Expects that a crash while the file grew leaves the messages of before or of after.
    private func expectCrashesSafe(
        from: [UInt8], to: [UInt8], _ before: [OutgoingMessage], _ after: [OutgoingMessage],
        _ comment: Comment
    ) {
        guard to.count > from.count, to.starts(with: from) else {
            // The file was truncated or replaced, which the file system does atomically.
            #expect(JournalScan(to) == .messages(after, length: to.count), comment)
            return
        }
        // The cuts are at every byte of a record at which the reader decides something, and at some in
        // between.
        let edge = to.count < 2000 ? 20 : 3
        let cuts = (from.count...to.count).filter { cut in
            cut - from.count < edge || to.count - cut < edge || cut % 997 == 0
        }
        for cut in cuts {
            let isComplete = cut == to.count
            #expect(
                JournalScan(Array(to[..<cut]))
                    == .messages(isComplete ? after : before, length: isComplete ? cut : from.count), comment)
        }
    }
}
