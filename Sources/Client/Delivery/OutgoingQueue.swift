import Contract

/// Messages that wait to be sent or acknowledged, in order and bounded. They last as long as the process.
public struct OutgoingQueue: Sendable {
    /// What gives way where the queue is full.
    public enum OverflowPolicy: Hashable, Sendable {
        /// The new message is refused with `ClientError.queueFull`.
        case refuseNewest
        /// The message that has waited longest is dropped.
        case dropOldest
    }

    public let limit: Int
    public let overflow: OverflowPolicy
    /// In the order in which they are to be sent.
    public private(set) var messages: [OutgoingMessage] = []

    /// Throws `storage` with a path: there is no form on disk yet.
    public init(
        limit: Int = 1000, overflow: OverflowPolicy = .refuseNewest, path: String? = nil
    ) throws(ClientError) {
        guard path == nil else { throw .storage("A queue on disk is not there yet.") }
        self.limit = limit
        self.overflow = overflow
    }

    public var count: Int { messages.count }
    public var isEmpty: Bool { messages.isEmpty }

    /// Puts a message at the end; returns what was dropped for it.
    @discardableResult
    public mutating func append(_ message: OutgoingMessage) throws(ClientError) -> [OutgoingMessage] {
        if messages.contains(where: { $0.id == message.id }) { return [] }
        var dropped: [OutgoingMessage] = []
        if count >= limit {
            switch overflow {
            case .refuseNewest: throw .queueFull(limit: limit)
            case .dropOldest: dropped = [messages.removeFirst()]
            }
        }
        messages.append(message)
        return dropped
    }

    /// Puts a message at the end, and removes the earlier ones of its type, which it returns.
    @discardableResult
    public mutating func replaceLatest(_ message: OutgoingMessage) throws(ClientError) -> [OutgoingMessage] {
        let removed = messages.filter { $0.type == message.type && $0.id != message.id }
        messages.removeAll { $0.type == message.type }
        return removed + (try append(message))
    }

    /// The message has taken effect, or never will: it is not sent again.
    public mutating func acknowledge(_ id: String) throws(ClientError) {
        messages.removeAll { $0.id == id }
    }

    /// Takes a message back, and says whether it was here.
    @discardableResult
    public mutating func cancel(_ id: String) throws(ClientError) -> Bool {
        let before = count
        messages.removeAll { $0.id == id }
        return count < before
    }

    /// Takes all messages back, and says how many there were.
    @discardableResult
    public mutating func cancelAll() throws(ClientError) -> Int {
        defer { messages = [] }
        return count
    }
}
