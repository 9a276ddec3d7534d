import Contract
import Reactor

/// A queue with a file, whose work is all done on the thread of the disk. Its changes are made in the order
/// of the calls, and those that throw do so as the ones of `OutgoingQueue`.
///
/// The file is closed, after all changes, when the queue is deinitialised; opening it again in the same
/// process waits for that.
final class DiskQueue: Sendable {
    /// The queue itself, used on the disk's thread only.
    private final class Box {
        /// The open queue; nil after the file is closed.
        private var queue: OutgoingQueue?

        init(_ queue: consuming OutgoingQueue) { self.queue = queue }

        var messages: [OutgoingMessage] { queue?.messages ?? [] }

        func change<Value>(
            _ body: (inout OutgoingQueue) throws(ClientError) -> Value
        ) throws(ClientError) -> Value {
            guard var queue else { preconditionFailure("a queue is changed after it was closed") }
            // The queue is moved out during the change, so that its array is not copied.
            self.queue = nil
            defer { self.queue = queue }
            return try body(&queue)
        }

        func close() { queue = nil }
    }

    /// The effect of appending a message.
    struct Appended {
        /// Whether the message was not in the queue already.
        let isNew: Bool
        let dropped: [OutgoingMessage]
    }

    /// The messages in the file when it was opened.
    let recovered: [OutgoingMessage]
    private let loop: EventLoop
    private let box: LoopBound<Box>

    /// Opens the file while the calling thread waits. Throws as `OutgoingQueue` does.
    init(
        limit: Int, overflow: OutgoingQueue.OverflowPolicy, path: String, disk: Disk
    ) throws(ClientError) {
        let loop = try ClientLoop.disk()
        let opened = loop.runAndWait {
            Result { () throws(ClientError) in
                let box = Box(try OutgoingQueue(limit: limit, overflow: overflow, path: path, disk: disk))
                return (LoopBound(box, to: loop), box.messages)
            }
        }
        self.loop = loop
        (box, recovered) = try opened.get()
    }

    /// Opens the queue of a connection; nil if it has no file.
    convenience init?(_ configuration: ConnectionConfiguration) throws(ClientError) {
        guard let path = configuration.queuePath else { return nil }
        try self.init(
            limit: configuration.queueLimit, overflow: configuration.queueOverflow, path: path,
            disk: configuration.disk)
    }

    deinit { loop.execute { [box] in box.value.close() } }

    /// Appends a message, and waits until it is on the disk.
    func append(_ message: OutgoingMessage) async throws(ClientError) -> Appended {
        try await change { queue throws(ClientError) in
            let isNew = !queue.messages.contains { $0.id == message.id }
            return Appended(isNew: isNew, dropped: try queue.append(message))
        }
    }

    /// Removes a settled message without waiting for that. `failed` is called on the disk's thread.
    func acknowledge(_ id: String, failed: @escaping @Sendable (ClientError) -> Void) {
        loop.execute { [box] in
            do throws(ClientError) {
                try box.value.change { queue throws(ClientError) in try queue.acknowledge(id) }
            } catch {
                failed(error)
            }
        }
    }

    /// Cancels a message, and returns whether it was queued.
    func cancel(_ id: String) async throws(ClientError) -> Bool {
        try await change { queue throws(ClientError) in try queue.cancel(id) }
    }

    /// Cancels and returns all messages.
    func cancelAll() async throws(ClientError) -> [OutgoingMessage] {
        try await change { queue throws(ClientError) in
            let messages = queue.messages
            try queue.cancelAll()
            return messages
        }
    }

    /// Makes a change, and waits until it is done, and on the disk if it must last.
    private func change<Value: Sendable>(
        _ body: @escaping @Sendable (inout OutgoingQueue) throws(ClientError) -> Value
    ) async throws(ClientError) -> Value {
        try await loop.submit { [box] () throws(ClientError) in try box.value.change(body) }
    }
}
