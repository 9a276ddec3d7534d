import Reactor

/// The queue of a connection, on its loop. If it has a file as well, nothing here waits for the disk.
///
/// An added message counts once it is on the disk; a settled or cancelled message is gone at once. Only its
/// connection uses the queue.
final class ConnectionQueue {
    /// The messages known here. With a file, they may lag behind it, and the file's limit applies.
    private var known: OutgoingQueue
    private let file: DiskQueue?

    /// Makes a queue; throws if its file cannot be used.
    init(_ configuration: ConnectionConfiguration) throws(ClientError) {
        guard let path = configuration.queuePath else {
            file = nil
            known = try OutgoingQueue(limit: configuration.queueLimit, overflow: configuration.queueOverflow)
            return
        }
        let file = try DiskQueue(
            limit: configuration.queueLimit, overflow: configuration.queueOverflow, path: path,
            disk: configuration.disk)
        self.file = file
        known = OutgoingQueue(recovered: file.recovered)
    }

    var count: Int { known.count }
    /// The messages in the order in which they are to be sent.
    var messages: [OutgoingMessage] { known.messages }

    /// Appends a message, and returns the messages dropped for it. Throws as `OutgoingQueue.append` does.
    func append(_ message: OutgoingMessage) async throws(ClientError) -> [OutgoingMessage] {
        guard let file else { return try known.append(message) }
        let (isNew, pushedOut) = try await file.change { queue throws(ClientError) in
            let isNew = !queue.messages.contains { $0.id == message.id }
            return (isNew, try queue.append(message))
        }
        // A message that was settled meanwhile was not dropped.
        var dropped: [OutgoingMessage] = []
        for message in pushedOut where try known.cancel(message.id) { dropped.append(message) }
        if isNew { try known.append(message) }
        return dropped
    }

    /// Removes a settled message. `failed` is called on the disk's thread.
    func acknowledge(_ id: String, failed: @escaping @Sendable (ClientError) -> Void) throws(ClientError) {
        try known.acknowledge(id)
        file?.post({ queue throws(ClientError) in try queue.acknowledge(id) }, failed: failed)
    }

    /// Cancels a message, and returns whether it was queued. Throws as `OutgoingQueue.cancel` does.
    func cancel(_ id: String) async throws(ClientError) -> Bool {
        let wasKnown = try known.cancel(id)
        guard let file else { return wasKnown }
        // The message may be added meanwhile.
        defer { _ = try? known.cancel(id) }
        let wasInFile = try await file.change { queue throws(ClientError) in try queue.cancel(id) }
        return wasKnown || wasInFile
    }

    /// Cancels and returns all messages. Throws as `OutgoingQueue.cancelAll` does.
    func cancelAll() async throws(ClientError) -> [OutgoingMessage] {
        var cancelled = known.messages
        try known.cancelAll()
        guard let file else { return cancelled }
        let inFile = try await file.change { queue throws(ClientError) in
            let messages = queue.messages
            try queue.cancelAll()
            return messages
        }
        for message in inFile where !cancelled.contains(where: { $0.id == message.id }) {
            _ = try known.cancel(message.id)
            cancelled.append(message)
        }
        return cancelled
    }
}
