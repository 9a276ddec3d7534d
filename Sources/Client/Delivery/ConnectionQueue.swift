import Reactor

/// What waits in a connection, on its loop. Where that is in a file as well, nothing here waits for the disk.
///
/// What is added counts once it is on the disk; what is settled or taken back is gone at once. Its connection
/// alone has it.
final class ConnectionQueue {
    /// With a file: what of it is known here, whose limit is the file's.
    private var known: OutgoingQueue
    private let file: DiskQueue?

    /// Throws where the queue's file cannot be used.
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
    /// In the order in which they are to be sent.
    var messages: [OutgoingMessage] { known.messages }

    /// Puts a message at the end, and returns what was dropped for it. Throws as `OutgoingQueue.append` does.
    func append(_ message: OutgoingMessage) async throws(ClientError) -> [OutgoingMessage] {
        guard let file else { return try known.append(message) }
        let (isNew, pushedOut) = try await file.change { queue throws(ClientError) in
            let isNew = !queue.messages.contains { $0.id == message.id }
            return (isNew, try queue.append(message))
        }
        // What was settled meanwhile was not dropped.
        var dropped: [OutgoingMessage] = []
        for message in pushedOut where try known.cancel(message.id) { dropped.append(message) }
        if isNew { try known.append(message) }
        return dropped
    }

    /// The message has taken effect, or never will. `failed` is called on the disk's thread.
    func acknowledge(_ id: String, failed: @escaping @Sendable (ClientError) -> Void) throws(ClientError) {
        try known.acknowledge(id)
        file?.post({ queue throws(ClientError) in try queue.acknowledge(id) }, failed: failed)
    }

    /// Takes a message back, and says whether it was here. Throws as `OutgoingQueue.cancel` does.
    func cancel(_ id: String) async throws(ClientError) -> Bool {
        let wasKnown = try known.cancel(id)
        guard let file else { return wasKnown }
        // It may be added meanwhile.
        defer { _ = try? known.cancel(id) }
        let wasInFile = try await file.change { queue throws(ClientError) in try queue.cancel(id) }
        return wasKnown || wasInFile
    }

    /// Takes all messages back, and returns them. Throws as `OutgoingQueue.cancelAll` does.
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
