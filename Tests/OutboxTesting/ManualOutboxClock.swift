package import Contract
import Outbox
import Synchronization

/// A clock that advances when a test says so, and tells who sleeps.
package final class ManualOutboxClock: OutboxClock {
    private struct Sleeper {
        let until: Duration
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now: Timestamp
        var uptime = Duration.zero
        var sleepers: [UInt64: Sleeper] = [:]
        var next: UInt64 = 0
    }

    private let state: Mutex<State>

    package init(now: Timestamp = Timestamp(seconds: 1_800_000_000)) {
        state = Mutex(State(now: now))
    }

    package func now() -> Timestamp { state.withLock { $0.now } }
    package func uptime() -> Duration { state.withLock { $0.uptime } }

    package func sleep(for duration: Duration) async {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    let until = state.uptime + duration
                    if Task.isCancelled || until <= state.uptime { return true }
                    state.sleepers[number] = Sleeper(until: until, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume()
        }
    }

    /// Sets the wall clock, which wakes no sleeper.
    package func setWall(by duration: Duration) {
        state.withLock { $0.now = $0.now.adding(duration) }
    }

    /// Lets time pass without waking sleepers before the next advance, as for a process that is stopped
    /// meanwhile.
    package func standStill(for duration: Duration) {
        state.withLock { state in
            state.now = state.now.adding(duration)
            state.uptime += duration
        }
    }

    package func advance(by duration: Duration) {
        standStill(for: duration)
        let due = state.withLock { state in
            let due = state.sleepers.filter { $0.value.until <= state.uptime }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Advances in steps until the condition holds, and lets other tasks run in between. Returns whether it
    /// held.
    package func advance(
        by step: Duration, times: Int = 2_000, until condition: () async -> Bool
    ) async -> Bool {
        for _ in 0..<times {
            for _ in 0..<50 {
                if await condition() { return true }
                await Task.yield()
            }
            advance(by: step)
        }
        return await condition()
    }
}
