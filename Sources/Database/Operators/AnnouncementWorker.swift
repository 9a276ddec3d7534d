package import Contract
package import Postgres
import Reactor
package import Scheduling

/// Notifies people of announcements, in parts: a server that stops leaves the rest to the others.
package struct AnnouncementWorker: Sendable {
    private static let lookInterval = Duration.seconds(60)

    private let pool: PostgresPool
    private let now: CurrentTime
    private let changed: @Sendable (ChangeEvent) -> Void
    private let wakeSignal = WakeSignal()

    package init(
        pool: PostgresPool, now: @escaping CurrentTime, changed: @escaping @Sendable (ChangeEvent) -> Void
    ) {
        self.pool = pool
        self.now = now
        self.changed = changed
    }

    /// Looks for announcements that are not done.
    package func wake() { wakeSignal.send() }

    /// Works until the task is cancelled.
    package func run() async {
        await wakeSignal.run(
            on: pool.loop, every: Self.lookInterval, "announcements are made later", tellEverybody)
    }

    /// Notifies all people of all announcements that are not done. It rests as long as each part took, so
    /// that matches find the notifications free.
    package func tellEverybody() async throws {
        while !Task.isCancelled {
            let begun = Monotonic.nanoseconds()
            guard let told = try await Announcements.step(at: now(), in: pool) else { return }
            if told > 0 { changed(.notifications) }
            let took = Int64(clamping: Monotonic.nanoseconds() &- begun)
            try await ContinuousClock().sleep(for: .nanoseconds(took))
        }
    }
}
