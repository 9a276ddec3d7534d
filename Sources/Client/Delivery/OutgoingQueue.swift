import Contract

/// A bounded, ordered queue of messages that wait to be sent or acknowledged.
///
/// Without a path the messages last as long as the process. With one they are also in a file
/// (`OutgoingJournal`): a message that `append` took is on the disk when it returns, survives a crash and a
/// loss of power, and is there when the next process opens the queue. A settlement is written without waiting
/// for the disk: after a loss of power the message may be sent again, and its messageId makes that harmless.
///
/// A queue with a path does disk work, of some milliseconds, in the calls that change it; that of a
/// `RoomConnection` does so on a thread of its own. It has one owner: copies share the file, so that only one
/// of them may be changed.
public struct OutgoingQueue: Sendable {
    /// The behaviour of a full queue.
    public enum OverflowPolicy: Hashable, Sendable {
        /// The new message is refused with `ClientError.queueFull`.
        case refuseNewest
        /// The message that has waited longest is dropped.
        case dropOldest
    }

    /// The most messages that wait; a queue read from a file can hold more.
    public let limit: Int
    /// The rule for a message that finds the queue full.
    public let overflow: OverflowPolicy
    /// The messages in the order in which they are to be sent.
    public private(set) var messages: [OutgoingMessage] = []
    private let journal: OutgoingJournal?
    /// The changes that are made here, and not on the disk yet, because that was full.
    private var owed: [OutgoingChange] = []

    /// Makes a queue. With a path, the file is made if need be (mode 0600), locked against other processes,
    /// and read back; more messages than the limit are kept. Throws `storage` if another process has the
    /// file, if it cannot be used, or if it is damaged: then it is put aside under the name in the error, and
    /// the next attempt begins with an empty queue. `limit` is at least 1.
    public init(
        limit: Int = 1000, overflow: OverflowPolicy = .refuseNewest, path: String? = nil
    ) throws(ClientError) {
        try self.init(limit: limit, overflow: overflow, path: path, disk: Disk())
    }

    init(limit: Int, overflow: OverflowPolicy, path: String?, disk: Disk) throws(ClientError) {
        precondition(limit >= 1, "a queue that takes nothing")
        self.limit = limit
        self.overflow = overflow
        guard let path else {
            journal = nil
            return
        }
        let journal = try OutgoingJournal(path, disk: disk)
        self.journal = journal
        messages = journal.recovered
    }

    /// Makes a queue in memory with these messages, and without a limit.
    init(recovered: [OutgoingMessage]) {
        limit = .max
        overflow = .refuseNewest
        journal = nil
        messages = recovered
    }

    /// The number of messages in the queue.
    public var count: Int { messages.count }
    /// Whether the queue has no messages.
    public var isEmpty: Bool { messages.isEmpty }

    /// Appends a message, unless its id is in the queue already. Returns the messages dropped for it.
    ///
    /// Throws `queueFull`, `badMessage` or `storage`; the queue is then unchanged.
    @discardableResult
    public mutating func append(_ message: OutgoingMessage) throws(ClientError) -> [OutgoingMessage] {
        try append(message) { _ in false }
    }

    /// Appends a message, and removes the earlier ones of its type, including those that were sent and wait
    /// for their acknowledgement. Returns the removed messages. Throws as `append` does.
    @discardableResult
    public mutating func replaceLatest(_ message: OutgoingMessage) throws(ClientError) -> [OutgoingMessage] {
        try append(message) { $0.type == message.type }
    }

    /// Removes a message that has taken effect or never will: it is not sent again. An unknown id is no
    /// error.
    ///
    /// Throws `storage` if the disk does not record it. The message is out of this queue all the same; the
    /// next process may send it again, unless a later change reaches the disk.
    public mutating func acknowledge(_ id: String) throws(ClientError) {
        if contains(id) { try settle([.remove(id: id)]) }
    }

    /// Cancels a message, and returns whether it was queued. It may have been sent. Throws as `acknowledge`
    /// does.
    @discardableResult
    public mutating func cancel(_ id: String) throws(ClientError) -> Bool {
        guard contains(id) else { return false }
        try settle([.remove(id: id)])
        return true
    }

    /// Cancels all messages, and returns their number. Throws as `acknowledge` does.
    @discardableResult
    public mutating func cancelAll() throws(ClientError) -> Int {
        let count = count
        if count > 0 { try settle(messages.map { .remove(id: $0.id) }) }
        return count
    }

    private func contains(_ id: String) -> Bool { messages.contains { $0.id == id } }

    /// Appends a message, and removes those that it replaces, and the oldest others if there are too many.
    private mutating func append(
        _ message: OutgoingMessage, replacing isReplaced: (OutgoingMessage) -> Bool
    ) throws(ClientError) -> [OutgoingMessage] {
        try Self.check(message)
        if contains(message.id) { return [] }
        var removed = messages.filter(isReplaced)
        let surplus = count - removed.count - limit + 1
        if surplus > 0 {
            switch overflow {
            case .refuseNewest: throw .queueFull(limit: limit)
            case .dropOldest: removed += messages.filter { !isReplaced($0) }.prefix(surplus)
            }
        }
        try accept(message, insteadOf: removed)
        return removed
    }

    /// Writes the changes as one record, so that a crash leaves all of it or nothing.
    private mutating func accept(
        _ message: OutgoingMessage, insteadOf dropped: [OutgoingMessage]
    ) throws(ClientError) {
        let changes = [.add(message)] + dropped.map { OutgoingChange.remove(id: $0.id) }
        try journal?.append(owed + changes, isDurable: true)
        owed = []
        for change in changes { change.apply(to: &messages) }
        journal?.tidy(messages)
    }

    private mutating func settle(_ changes: [OutgoingChange]) throws(ClientError) {
        for change in changes { change.apply(to: &messages) }
        guard let journal else { return }
        do throws(ClientError) {
            if messages.isEmpty {
                // Clearing works on a full disk, too.
                try journal.clear()
            } else {
                try journal.append(owed + changes, isDurable: false)
            }
        } catch {
            owed += changes
            throw error
        }
        owed = []
        journal.tidy(messages)
    }

    private static func check(_ message: OutgoingMessage) throws(ClientError) {
        guard Limits.messageIdCharacters.contains(message.id.unicodeScalars.count) else {
            throw .badMessage("A messageId has 1 to \(Limits.messageIdCharacters.upperBound) characters.")
        }
        guard message.type.utf8.count <= 64 else {
            throw .badMessage("The type of a message has at most 64 bytes.")
        }
        guard message.text.count <= Limits.clientMessageBytes else {
            throw .badMessage(
                "The server takes messages of at most \(Limits.clientMessageBytes) bytes; "
                    + "this one has \(message.text.count).")
        }
    }
}
