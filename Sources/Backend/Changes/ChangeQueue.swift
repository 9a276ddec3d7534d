import Codecs
import Database
import Logging
import Reactor
import Scheduling

/// A queue of change events for one task, which takes all that have gathered while it was busy. It is
/// bounded, as `PendingChanges` is.
final class ChangeQueue: Sendable {
    private static let backoff = Backoff(first: .milliseconds(100), longest: .seconds(10))

    /// The figures of a queue, for `/metrics`.
    struct Figures {
        var received = 0
        var waiting = 0
        /// The time since the coming of the oldest change event that waits or is being handled; 0 if none
        /// does.
        var oldestSeconds = 0.0
        /// The times from the coming of the oldest change event of a batch to the end of its handling.
        var delays = Histogram(bounds: [0.001, 0.01, 0.1, 0.5, 1, 5, 30])
    }

    private struct State {
        var pending: PendingChanges
        /// When the oldest that waits came, in monotonic nanoseconds.
        var since: UInt64?
        /// When the oldest that is being handled came.
        var handledSince: UInt64?
        var received = 0
        var delays = Figures().delays
    }

    private let state: Lock<State>
    private let wakeSignal = WakeSignal()

    init(bound: Int = PendingChanges.standardBound) {
        state = Lock(State(pending: PendingChanges(bound: bound)))
    }

    /// Adds a change event. It may be called from any thread, and never waits.
    func add(_ changeEvent: ChangeEvent) {
        state.withLock { state in
            state.pending.insert(changeEvent)
            state.received += 1
            if state.since == nil { state.since = Monotonic.nanoseconds() }
        }
        wakeSignal.send()
    }

    /// Empties the queue, and returns its change events.
    func take() -> PendingChanges {
        defer { state.withLock { $0.handledSince = nil } }
        return takeDated().changes
    }

    var figures: Figures {
        state.withLock { state in
            let since = state.handledSince ?? state.since
            return Figures(
                received: state.received, waiting: state.pending.count,
                oldestSeconds: since.map { Double(Monotonic.nanoseconds() &- $0) / 1e9 } ?? 0,
                delays: state.delays)
        }
    }

    private func takeDated() -> (changes: PendingChanges, since: UInt64?) {
        state.withLock { state in
            defer {
                state.pending.removeAll()
                state.handledSince = state.since
                state.since = nil
            }
            return (state.pending, state.since)
        }
    }

    /// Puts back what could not be handled.
    private func putBack(_ changes: PendingChanges, _ since: UInt64?) {
        state.withLock { state in
            state.pending.formUnion(changes)
            state.since = since ?? state.since
            state.handledSince = nil
        }
    }

    private func handled(_ since: UInt64?) {
        guard let since else { return }
        let seconds = Double(Monotonic.nanoseconds() &- since) / 1e9
        state.withLock { state in
            state.delays.add(seconds)
            state.handledSince = nil
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
            var (changes, since) = takeDated()
            while !changes.isEmpty, !Task.isCancelled {
                do {
                    try await work(changes)
                    if failures > 0 { Log.info("\(what): caught up", ["failures": failures]) }
                    failures = 0
                    handled(since)
                    (changes, since) = takeDated()
                } catch {
                    putBack(changes, since)
                    if Task.isCancelled { return }
                    failures += 1
                    if failures == 1 || failures % 10 == 0 {
                        Log.warning("\(what): tried again", ["error": "\(error)", "failures": failures])
                    }
                    await pause(failures)
                    (changes, since) = takeDated()
                }
            }
            // Events left when the task was cancelled are for the caller of `take`.
            if !changes.isEmpty { putBack(changes, since) }
        }
    }

    private static func pause(afterFailures failures: Int) async {
        try? await ContinuousClock().sleep(for: backoff.delay(afterFailures: failures))
    }
}
