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

    typealias Events = AsyncStream<Notification>

    private struct Subscriber {
        let user: UUID
        let continuation: Events.Continuation
    }

    private let pool: PostgresPool
    private let reader: NotificationReader
    private let told: @Sendable (Notification) -> Void
    private var position: Int64?
    private var subscribers: [Int: Subscriber] = [:]
    private var numbers: [UUID: Set<Int>] = [:]
    private var nextNumber = 0
    private var hasNews = false
    private var wakeUp: CheckedContinuation<Void, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { pool.loop.asUnownedSerialExecutor() }

    /// `told` is called for each notification that goes to a stream.
    init(
        pool: PostgresPool, reader: NotificationReader,
        told: @escaping @Sendable (Notification) -> Void = { _ in }
    ) {
        self.told = told
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

    /// Reads and hands out until the task is cancelled. Every five seconds without a hint it looks for itself.
    func run() async {
        while !Task.isCancelled {
            do {
                try await handOut()
            } catch {
                if Task.isCancelled { return }
                Log.warning("notifications are handed out later", ["error": "\(error)"])
            }
            await sleep()
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
        guard !subscribers.isEmpty, var from = position else { return }
        let last = try await lastID()
        while from < last {
            let deliveries = try await reader.read(
                for: Array(numbers.keys), after: from, upTo: last, limit: Self.page, from: pool)
            for delivery in deliveries { hand(delivery) }
            from = deliveries.count < Self.page ? last : deliveries[deliveries.count - 1].notification.id
            // Nobody may have been left meanwhile; then the position is forgotten.
            if position == nil { return }
            position = from
        }
    }

    private func hand(_ delivery: NotificationReader.Delivery) {
        for number in numbers[delivery.user] ?? [] {
            guard let continuation = subscribers[number]?.continuation else { continue }
            switch continuation.yield(delivery.notification) {
            case .enqueued: told(delivery.notification)
            case .dropped, .terminated: continuation.finish()
            @unknown default: continuation.finish()
            }
        }
    }

    private func sleep() async {
        if hasNews { return }
        let alarm = pool.loop.schedule(after: .seconds(5)) { [weak self] in
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
