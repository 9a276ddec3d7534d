import Contract
import Postgres
import Reactor

/// Brings new notifications to the event streams that are open on this server.
///
/// It reads the table once for all of them, from where it was to where the table is. Ids become visible in their
/// order, so nothing below that position is ever missed.
actor NotificationFeed {
    /// What a stream may have waiting. A slower one is ended, and comes back with `Last-Event-ID`.
    private static let maximumWaiting = 256
    private static let page = 1000
    /// Hints come by LISTEN, and this server's own at once; its scheduler says when a slot opens and closes, whoever did
    /// it. What is left is a connection that died in silence: while streams are open that costs one query a minute.
    private static let lookInterval = Duration.seconds(60)
    /// After a failure.
    private static let retryInterval = Duration.seconds(5)

    typealias Events = AsyncStream<Event>

    /// A notification as a stream sends it.
    struct Event: Sendable {
        let id: Int64
        let bytes: [UInt8]

        init(_ notification: Notification) throws {
            id = notification.id
            var bytes = Array("id: \(notification.id)\nevent: \(notification.type)\ndata: ".utf8)
            bytes += try JSON.encode(notification)
            bytes += "\n\n".utf8
            self.bytes = bytes
        }
    }

    private struct Subscriber {
        let user: UUID
        let continuation: Events.Continuation
    }

    /// What a transaction tells, read in it, and ready to be sent.
    private struct Draft {
        let ids: ClosedRange<Int64>
        /// Of whom all was read.
        var users: Set<UUID> = []
        var deliveries: [NotificationReader.Delivery] = []
        /// One for each delivery.
        var events: [Event] = []
    }

    private static let lastOwnID = "SELECT currval(pg_get_serial_sequence('notifications', 'id'))"

    private let pool: PostgresPool
    private let now: @Sendable () -> Timestamp
    private let reader: NotificationReader
    private let told: @Sendable (Notification) -> Void
    private var position: Int64?
    private var subscribers: [Int: Subscriber] = [:]
    private var numbers: [UUID: Set<Int>] = [:]
    private var nextNumber = 0
    private var hasNews = false
    private var draft: Draft?
    private var committed: Draft?
    private var wakeUp: CheckedContinuation<Void, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { pool.loop.asUnownedSerialExecutor() }

    /// `told` is called for each notification that goes to a stream.
    init(
        pool: PostgresPool, reader: NotificationReader, now: @escaping @Sendable () -> Timestamp,
        told: @escaping @Sendable (Notification) -> Void = { _ in }
    ) {
        self.told = told
        self.now = now
        self.pool = pool
        self.reader = reader
    }

    /// Everything of a user's from now on, and the id that "now" is: what is above it comes, and perhaps a little of
    /// what is not. It ends when the caller lets go of it, when it is too slow, and when the user's token changes.
    func subscribe(_ user: UUID) async throws -> (since: Int64, events: Events) {
        let number = nextNumber
        nextNumber += 1
        let (events, continuation) = Events.makeStream(bufferingPolicy: .bufferingOldest(Self.maximumWaiting))
        let loop = pool.loop
        continuation.onTermination = { _ in
            loop.execute { self.assumeIsolated { $0.unsubscribe(number) } }
        }
        subscribers[number] = Subscriber(user: user, continuation: continuation)
        numbers[user, default: []].insert(number)
        do {
            let last = try await lastID()
            if position == nil { position = last }
            return (last, events)
        } catch {
            continuation.finish()
            throw error
        }
    }

    /// There may be new notifications.
    func wake() {
        hasNews = true
        wakeUp?.resume()
        wakeUp = nil
    }

    /// Ends the streams of a user whose token is no longer valid.
    func end(_ user: UUID) {
        for number in numbers[user] ?? [] { subscribers[number]?.continuation.finish() }
    }

    var streamCount: Int { subscribers.count }

    /// Reads and hands out until the task is cancelled. After a minute without a hint it looks for itself.
    func run() async {
        while !Task.isCancelled {
            var pause = Self.lookInterval
            do {
                try await handOut()
            } catch {
                if Task.isCancelled { return }
                Log.warning("notifications are handed out later", ["error": "\(error)"])
                pause = Self.retryInterval
            }
            await sleep(for: pause)
        }
    }

    private func unsubscribe(_ number: Int) {
        guard let subscriber = subscribers.removeValue(forKey: number) else { return }
        numbers[subscriber.user]?.remove(number)
        if numbers[subscriber.user]?.isEmpty ?? false { numbers[subscriber.user] = nil }
        if subscribers.isEmpty { position = nil }
    }

    private func lastID() async throws(PostgresError) -> Int64 {
        let row = try await pool.query("SELECT coalesce(max(id), 0) FROM notifications", retrying: true).first
        return try row?.decode(0, Int64.self) ?? 0
    }

    private func handOut() async throws {
        hasNews = false
        let committed = self.committed
        self.committed = nil
        guard !subscribers.isEmpty, position != nil else { return }
        if let committed { try await handOut(committed) }
        try await handOut(upTo: try await lastID())
    }

    private func handOut(upTo last: Int64) async throws {
        while let from = position, from < last {
            let deliveries = try await reader.read(
                for: Array(numbers.keys), after: from, upTo: last, limit: Self.page, from: pool)
            for delivery in deliveries { hand(try Event(delivery.notification), of: delivery) }
            // Nobody may have been left meanwhile; then the position is forgotten.
            guard position != nil else { return }
            position = deliveries.count < Self.page ? last : deliveries[deliveries.count - 1].notification.id
        }
    }

    private func hand(_ event: Event, of delivery: NotificationReader.Delivery) {
        for number in numbers[delivery.user] ?? [] {
            guard let continuation = subscribers[number]?.continuation else { continue }
            switch continuation.yield(event) {
            case .enqueued: told(delivery.notification)
            case .dropped, .terminated: continuation.finish()
            @unknown default: continuation.finish()
            }
        }
    }

    // What is about to be told.

    /// Reads what a transaction tells, before it commits, for those who have a stream here now, or for as many of them as
    /// there is time for until it should commit. It has numbered `count` notifications, under the lock of the
    /// writers, and nothing else since.
    func prepare(_ count: Int, on connection: PostgresConnection, until due: Timestamp) async throws {
        draft = nil
        let users = Array(numbers.keys)
        if users.isEmpty || count <= 0 { return }
        let row = try await connection.query(Self.lastOwnID).first
        guard let last = try row?.decode(0, Int64.self) else { return }
        var draft = Draft(ids: (last - Int64(count) + 1)...last)
        for start in stride(from: 0, to: users.count, by: Self.page) {
            let begun = now()
            let part = Array(users[start..<min(start + Self.page, users.count)])
            let deliveries = try await reader.read(
                for: part, after: draft.ids.lowerBound - 1, upTo: last, limit: count, on: connection)
            for delivery in deliveries { draft.events.append(try Event(delivery.notification)) }
            draft.deliveries += deliveries
            draft.users.formUnion(part)
            let took = now().since(begun)
            if due.since(now()) < took * 2 { break }
        }
        self.draft = draft
    }

    /// The transaction has committed: what was prepared is handed out.
    func release() {
        guard let draft else { return }
        self.draft = nil
        committed = draft
        wake()
    }

    /// The transaction has not committed, or nobody knows.
    func discard() { draft = nil }

    /// Whoever came after the draft was made, or found no place in it, is read for now.
    private func handOut(_ draft: Draft) async throws {
        let before = draft.ids.lowerBound - 1
        try await handOut(upTo: before)
        guard let position, position <= before else { return }
        for (delivery, event) in zip(draft.deliveries, draft.events) { hand(event, of: delivery) }
        let others = numbers.keys.filter { !draft.users.contains($0) }
        var from = before
        while !others.isEmpty, from < draft.ids.upperBound {
            let deliveries = try await reader.read(
                for: others, after: from, upTo: draft.ids.upperBound, limit: Self.page, from: pool)
            for delivery in deliveries { hand(try Event(delivery.notification), of: delivery) }
            guard deliveries.count == Self.page, let last = deliveries.last else { break }
            from = last.notification.id
        }
        if self.position != nil { self.position = draft.ids.upperBound }
    }

    private func sleep(for pause: Duration) async {
        if hasNews { return }
        let alarm = pool.loop.schedule(after: pause) { [weak self] in
            self?.assumeIsolated { $0.wake() }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled || hasNews { continuation.resume() } else { wakeUp = continuation }
            }
        } onCancel: {
            pool.loop.execute { self.assumeIsolated { $0.wake() } }
        }
        pool.loop.cancel(alarm)
    }
}
