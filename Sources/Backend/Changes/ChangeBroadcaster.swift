import Contract
import Database
import Postgres
import Reactor
import Scheduling

/// Tells the other servers what has changed, after the commit that changed it: coalesced, on one connection.
///
/// What a crash loses between a commit and its change event delays the others: each looks for itself once a
/// minute.
final class ChangeBroadcaster: Sendable {
    /// Between two sendings: each holds a lock of the whole database while it commits.
    private static let interval = Duration.milliseconds(10)

    private let pool: PostgresPool
    private let queue = ChangeQueue()
    /// The slots whose rooms are open now.
    private let openSlots: @Sendable () -> [Timestamp]
    /// The session that sends, which PostgreSQL names with each change event.
    private let session = Lock<Int32>(0)

    init(
        _ database: PostgresConfiguration, on loop: EventLoop,
        openSlots: @escaping @Sendable () -> [Timestamp]
    ) {
        var database = database.sized(1)
        // A change event that a crash of the database loses is not missed: nobody has heard of it, and all
        // sessions have ended.
        database.sessionSettings.append((name: "synchronous_commit", value: "off"))
        pool = PostgresPool(database, on: loop)
        self.openSlots = openSlots
    }

    /// May be called from anywhere; never waits.
    func tell(_ changeEvent: ChangeEvent) {
        if changeEvent != .presence { queue.add(changeEvent) }
    }

    /// Whether it was sent from here: what it tells has been dealt with.
    func isOwn(_ notification: PostgresNotification) -> Bool {
        session.withLock { $0 == notification.processID }
    }

    /// Sends until the task is cancelled.
    func run() async {
        await queue.run("change events to other servers") { changes in
            try await send(changes)
            try? await ContinuousClock().sleep(for: Self.interval)
        }
    }

    /// Sends what is left, after `run` has ended.
    func finish() async {
        let left = queue.take()
        if !left.isEmpty { try? await send(left) }
        await pool.shutdown()
    }

    private func send(_ changes: PendingChanges) async throws {
        var changeEvents = changes.changeEvents
        // In words that the release before knows too.
        if changes.all.contains(.rooms) {
            changeEvents += openSlots().map { .opened($0, by: ChangeEvent.nobody) }
        }
        try await pool.withConnection { connection in
            let own = await connection.processID
            session.withLock { $0 = own }
            try await ChangeEvent.send(changeEvents, on: connection)
        }
    }
}
