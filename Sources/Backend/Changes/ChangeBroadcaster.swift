import Contract
import Database
import Postgres
import Reactor
import Scheduling

/// The sender of change events to the other servers, after the commit of each change: coalesced, on one
/// connection.
///
/// A change event that a crash loses after the commit delays the others, which read the database once a
/// minute.
final class ChangeBroadcaster: Sendable {
    /// The pause between two sends; each holds a lock of the whole database while it commits.
    private static let interval = Duration.milliseconds(10)

    let pool: PostgresPool
    private let queue = ChangeQueue()
    /// The slots whose rooms are open now.
    private let openSlots: @Sendable () -> [Timestamp]
    /// The process id of the sending session, which PostgreSQL adds to each change event.
    private let session = Lock<Int32>(0)

    init(
        _ database: PostgresConfiguration, on loop: EventLoop,
        openSlots: @escaping @Sendable () -> [Timestamp]
    ) {
        var database = database.sized(1)
        // A crash of the database may lose a change event: no server has received it, and all sessions have
        // ended.
        database.sessionSettings.append((name: "synchronous_commit", value: "off"))
        pool = PostgresPool(database, on: loop)
        self.openSlots = openSlots
    }

    /// Enqueues a change event. It may be called from any thread, and never waits.
    func tell(_ changeEvent: ChangeEvent) {
        if changeEvent != .presence { queue.add(changeEvent) }
    }

    /// Whether this server sent the notification, and so has handled its change already.
    func isOwn(_ notification: PostgresNotification) -> Bool {
        session.withLock { $0 == notification.processID }
    }

    /// The figures of the queue of events for other servers.
    var figures: ChangeQueue.Figures { queue.figures }

    /// Sends change events until the task is cancelled.
    func run() async {
        await queue.run("change events to other servers") { changes in
            try await send(changes)
            try? await ContinuousClock().sleep(for: Self.interval)
        }
    }

    /// Sends the remaining change events, after `run` has ended.
    func finish() async {
        let left = queue.take()
        if !left.isEmpty { try? await send(left) }
    }

    private func send(_ changes: PendingChanges) async throws {
        var changeEvents = changes.changeEvents
        // The previous release knows only these events.
        if changes.all.contains(.rooms) {
            changeEvents += openSlots().map { .opened($0, by: ChangeEvent.noProcess) }
        }
        try await pool.withConnection { connection in
            let own = await connection.processID
            session.withLock { $0 = own }
            try await ChangeEvent.send(changeEvents, on: connection)
        }
    }
}
