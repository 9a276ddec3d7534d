import Codecs
import Database
import Logging
import Reactor
import Scheduling

/// A queue of change events for one task, which takes all that have gathered while it was busy. It is
/// bounded, as `PendingChanges` is.
final class ChangeQueue: Sendable {
    private static let backoff = Backoff(first: .milliseconds(100), longest: .seconds(10))

    private let pending: Lock<PendingChanges>
    private let wakeSignal = WakeSignal()

    init(bound: Int = PendingChanges.standardBound) {
        pending = Lock(PendingChanges(bound: bound))
    }

    /// Adds a change event. It may be called from any thread, and never waits.
    func add(_ changeEvent: ChangeEvent) {
        pending.withLock { $0.insert(changeEvent) }
        wakeSignal.send()
    }

    /// Empties the queue, and returns its change events.
    func take() -> PendingChanges {
        pending.withLock { pending in
            defer { pending.removeAll() }
            return pending
        }
    }

    /// Handles change events until the task is cancelled. Events whose handling failed are tried again,
    /// together with new ones, until it succeeds.
    func run(
        _ what: String, pause: (Int) async -> Void = ChangeQueue.pause(afterFailures:),
        _ work: (PendingChanges) async throws -> Void
    ) async {
        var failures = 0
        while await wakeSignal.wait() {
            var changes = take()
            while !changes.isEmpty, !Task.isCancelled {
                do {
                    try await work(changes)
                    if failures > 0 { Log.info("\(what): caught up", ["failures": failures]) }
                    failures = 0
                    changes = take()
                } catch {
                    pending.withLock { $0.formUnion(changes) }
                    if Task.isCancelled { return }
                    failures += 1
                    if failures == 1 || failures % 10 == 0 {
                        Log.warning("\(what): tried again", ["error": "\(error)", "failures": failures])
                    }
                    await pause(failures)
                    changes = take()
                }
            }
            // Events left when the task was cancelled are for the caller of `take`.
            if !changes.isEmpty { pending.withLock { $0.formUnion(changes) } }
        }
    }

    private static func pause(afterFailures failures: Int) async {
        try? await ContinuousClock().sleep(for: backoff.delay(afterFailures: failures))
    }
}
