package import Contract
import Outbox
package import Postgres
import Reactor

/// The fan-out of new notifications to the event streams that are open on this server.
///
/// The feed reads the table once for all streams, from its position to the newest id. Ids become visible in
/// their order, so nothing below that position is ever missed.
package actor NotificationFeed {
    /// The most events that may wait for a stream (back-pressure). A slower stream is ended, and comes back
    /// with `Last-Event-ID`.
    private static let maximumWaiting = 256
    private static let page = 1000
    /// The interval at which the feed looks without a change event. Change events come by LISTEN, and this
    /// server's own at once; its scheduler says when a slot opens and closes, whichever server did it. The
    /// interval is for a connection that died in silence: while streams are open it costs one query a minute.
    private static let lookInterval = Duration.seconds(60)
    /// The pause after a failure.
    private static let retryInterval = Duration.seconds(5)

    package typealias Events = AsyncStream<Event>
    /// A function that reads the newest id of all notifications.
    package typealias LastID = @Sendable (PostgresPool) async throws -> Int64

    /// A notification as a stream sends it.
    package struct Event: Sendable {
        package let id: Int64
        /// The type; nil if this version does not know it.
        package let type: NotificationType?
        package let bytes: [UInt8]

        package init(_ notification: UserNotification) throws {
            id = notification.id
            type = notification.data.type
            var bytes = Array("id: \(notification.id)\nevent: \(notification.type)\ndata: ".utf8)
            bytes += try JSON.encode(notification)
            bytes += "\n\n".utf8
            self.bytes = bytes
        }
    }

    private struct Subscriber {
        struct Token: Hashable {
            let user: Identifier
            let number: Int32
        }

        /// The token with which the stream was opened.
        let token: Token
        let continuation: Events.Continuation
        let waiting: WaitingEvents?
        /// The last notification that the stream knows of. The feed goes back for a newcomer, and hands out
        /// nothing twice.
        var last: Int64
    }

    /// The notifications of a transaction, read in it, and ready to be sent.
    private struct Draft {
        let ids: ClosedRange<Int64>
        /// The users with all their notifications read.
        var users: Set<Identifier> = []
        var deliveries: [NotificationReader.Delivery] = []
        /// The events, one for each delivery.
        var events: [Event] = []
    }

    /// The one question about the newest id.
    private enum Newest: Hashable, Sendable { case ofAll }

    private static let lastOwnID = "SELECT currval(pg_get_serial_sequence('notifications', 'id'))"

    private let pool: PostgresPool
    private let now: CurrentTime
    private let reader: NotificationReader
    private let told: @Sendable (UserNotification) -> Void
    private let lastID: LastID
    /// The answers to streams that are opened at the same time, which share the reading of the newest id.
    private let newest: SharedAnswers<Newest, Int64>
    /// The id up to which all notifications have been fanned out to all streams; nil while there are no
    /// streams.
    private var position: Int64?
    /// The lowest start among streams that were opened since the last reading began, which does not read for
    /// them.
    private var newcomers: Int64?
    private var subscribers: [Int: Subscriber] = [:]
    private var numbers: [Identifier: Set<Int>] = [:]
    private var nextNumber = 0
    /// The drafts, by the slots that they are about.
    private var drafts: [Timestamp: Draft] = [:]
    private var committed: Draft?
    private let wakeSignal = WakeSignal()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { pool.loop.asUnownedSerialExecutor() }

    /// Creates a feed. `told` is called for each notification that goes to a stream.
    package init(
        pool: PostgresPool, reader: NotificationReader, now: @escaping CurrentTime,
        told: @escaping @Sendable (UserNotification) -> Void = { _ in },
        lastID: @escaping LastID = { try await NotificationReader.lastID(from: $0) }
    ) {
        self.told = told
        self.lastID = lastID
        self.now = now
        self.pool = pool
        self.reader = reader
        newest = SharedAnswers(on: pool.loop) { _ in [.ofAll: try await lastID(pool)] }
    }

    /// Opens a stream of a user's notifications from now on. `since` is the newest id at that time: all
    /// notifications above it come, and perhaps a few below it. The stream ends when the caller releases it,
    /// when it is too slow, and when the user's token changes. `waiting` counts the events that wait.
    package func subscribe(
        _ user: Identifier, tokenVersion: Int32, waiting: WaitingEvents? = nil
    ) async throws -> (since: Int64, events: Events) {
        let last = try await newest.ask(.ofAll) ?? 0
        let number = nextNumber
        nextNumber += 1
        let (events, continuation) = Events.makeStream(bufferingPolicy: .bufferingOldest(Self.maximumWaiting))
        let loop = pool.loop
        continuation.onTermination = { _ in
            loop.execute { self.assumeIsolated { $0.unsubscribe(number) } }
        }
        subscribers[number] = Subscriber(
            token: Subscriber.Token(user: user, number: tokenVersion), continuation: continuation,
            waiting: waiting, last: last)
        waiting?.wait(for: continuation)
        numbers[user, default: []].insert(number)
        newcomers = min(newcomers ?? last, last)
        // Answers may come in another order than the questions.
        if last < position ?? .max {
            position = last
            wake()
        }
        return (last, events)
    }

    /// Looks for new notifications, since there may be some.
    package func wake() { wakeSignal.send() }

    /// Ends the user's streams of tokens that are no longer valid, or all of them if that cannot be told,
    /// since a token was replaced or the account deleted.
    package func end(_ user: Identifier) async {
        guard numbers[user] != nil else { return }
        let valid = try? await validTokens(of: [user])
        for number in numbers[user] ?? [] {
            guard let subscriber = subscribers[number] else { continue }
            if valid?.contains(subscriber.token) != true { subscriber.continuation.finish() }
        }
    }

    private static let validTokens = """
        SELECT id, token_version FROM accounts
        WHERE id = ANY($1::uuid[]) AND NOT \(Suspensions.isInForce("accounts.id"))
        UNION ALL
        SELECT user_id, number FROM tokens
        WHERE user_id = ANY($1::uuid[]) AND number < 0 AND (expires_at IS NULL OR expires_at > now())
            AND NOT \(Suspensions.isInForce("tokens.user_id"))
        """

    private func validTokens(of users: [Identifier]) async throws -> Set<Subscriber.Token> {
        let rows = try await pool.query(Self.validTokens, [users], retrying: true)
        return Set(try rows.read(Subscriber.Token.init(user:number:)))
    }

    /// Ends the streams of all tokens that are no longer valid, for when change events about them were lost
    /// or are too many.
    package func endOutdated() async throws {
        if numbers.isEmpty { return }
        let known = subscribers
        let valid = try await validTokens(of: Array(numbers.keys))
        for subscriber in known.values where !valid.contains(subscriber.token) {
            subscriber.continuation.finish()
        }
    }

    package var streamCount: Int { subscribers.count }

    /// Reads and hands out notifications until the task is cancelled, after a minute also without a change
    /// event.
    package func run() async {
        await wakeSignal.run(
            on: pool.loop, every: Self.lookInterval, retryingAfter: Self.retryInterval,
            "notifications are handed out later"
        ) { try await handOut() }
    }

    private func unsubscribe(_ number: Int) {
        guard let subscriber = subscribers.removeValue(forKey: number) else { return }
        let user = subscriber.token.user
        numbers[user]?.remove(number)
        if numbers[user]?.isEmpty ?? false { numbers[user] = nil }
        if subscribers.isEmpty { position = nil }
    }

    private func handOut() async throws {
        let committed = self.committed
        self.committed = nil
        guard !subscribers.isEmpty, position != nil else { return }
        if let committed { try await handOut(committed) }
        try await handOut(upTo: try await lastID(pool))
    }

    private func handOut(upTo last: Int64) async throws {
        while let from = position, from < last {
            newcomers = nil
            let deliveries = try await reader.read(
                for: Array(numbers.keys), after: from, upTo: last, limit: Self.page, from: pool)
            for delivery in deliveries { hand(try Event(delivery.notification), of: delivery) }
            let isAll = deliveries.count < Self.page
            advance(to: isAll ? last : deliveries[deliveries.count - 1].notification.id)
        }
    }

    /// Notes that all notifications up to `next` have been handed out, except to newcomers. Without streams
    /// the position stays nil.
    private func advance(to next: Int64) {
        if position != nil { position = min(next, newcomers ?? next) }
    }

    private func hand(_ event: Event, of delivery: NotificationReader.Delivery) {
        for number in numbers[delivery.user] ?? [] {
            guard let subscriber = subscribers[number], subscriber.last < event.id else { continue }
            subscribers[number]?.last = event.id
            let own = self.event(event, of: delivery, for: subscriber.token)
            subscriber.waiting?.add(own)
            switch subscriber.continuation.yield(own) {
            case .enqueued: told(delivery.notification)
            case .dropped, .terminated: subscriber.continuation.finish()
            @unknown default: subscriber.continuation.finish()
            }
        }
    }

    /// Returns the event as a stream gets it: with a ticket under the token of the stream, so that the ticket
    /// ends with it. All streams under the main token share one event.
    private func event(
        _ event: Event, of delivery: NotificationReader.Delivery, for token: Subscriber.Token
    ) -> Event {
        guard token.number < 0 else { return event }
        let own = reader.notification(of: delivery, under: token.number)
        return (try? Event(own)) ?? event
    }

    // Notifications that are about to be told.

    /// Reads the notifications of a transaction before it commits, for users who have a stream here now, or
    /// for as many of them as there is time for until it should commit. The transaction has numbered `count`
    /// notifications, under the lock of the writers, and nothing else since.
    package func stage(
        _ count: Int, for startsAt: Timestamp, on connection: PostgresConnection, until due: Timestamp
    ) async throws {
        drafts[startsAt] = nil
        let users = Array(numbers.keys)
        if users.isEmpty || count <= 0 { return }
        let row = try await connection.query(Self.lastOwnID).first
        guard let last = try row?.decode(0, Int64.self) else { return }
        var draft = Draft(ids: (last - Int64(count) + 1)...last)
        for start in stride(from: 0, to: users.count, by: Self.page) {
            let begun = now()
            let part = Array(users[start..<min(start + Self.page, users.count)])
            let deliveries = try await reader.read(
                for: part, after: draft.ids.lowerBound - 1, upTo: last, limit: count, from: connection)
            for delivery in deliveries { draft.events.append(try Event(delivery.notification)) }
            draft.deliveries += deliveries
            draft.users.formUnion(part)
            let took = now().since(begun)
            if due.since(now()) < took * 2 { break }
        }
        drafts[startsAt] = draft
    }

    /// Hands out the draft, since the transaction has committed.
    func publish(_ startsAt: Timestamp) {
        guard let draft = drafts.removeValue(forKey: startsAt) else { return }
        committed = draft
        wake()
    }

    /// Discards the draft, since the transaction has not committed, or its outcome is unknown.
    func drop(_ startsAt: Timestamp) { drafts[startsAt] = nil }

    /// Hands out a draft. Notifications of users who came after it was made, or found no place in it, are
    /// read now.
    private func handOut(_ draft: Draft) async throws {
        let before = draft.ids.lowerBound - 1
        try await handOut(upTo: before)
        guard position == before else { return }
        for (delivery, event) in zip(draft.deliveries, draft.events) { hand(event, of: delivery) }
        newcomers = nil
        let others = numbers.keys.filter { !draft.users.contains($0) }
        var from = before
        while !others.isEmpty, from < draft.ids.upperBound {
            let deliveries = try await reader.read(
                for: others, after: from, upTo: draft.ids.upperBound, limit: Self.page, from: pool)
            for delivery in deliveries { hand(try Event(delivery.notification), of: delivery) }
            guard deliveries.count == Self.page, let last = deliveries.last else { break }
            from = last.notification.id
        }
        advance(to: draft.ids.upperBound)
    }
}
