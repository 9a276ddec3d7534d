package import Contract
import Outbox
import Synchronization

/// A clock that goes on when a test says so, and tells who sleeps.
package final class ManualOutboxClock: OutboxClock {
    private struct Sleeper {
        let until: Timestamp
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now: Timestamp
        var sleepers: [UInt64: Sleeper] = [:]
        var next: UInt64 = 0
    }

    private let state: Mutex<State>

    package init(now: Timestamp = Timestamp(seconds: 1_800_000_000)) {
        state = Mutex(State(now: now))
    }

    package func now() -> Timestamp { state.withLock { $0.now } }

    package func sleep(for duration: Duration) async {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    let until = state.now.adding(duration)
                    if Task.isCancelled || until <= state.now { return true }
                    state.sleepers[number] = Sleeper(until: until, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume()
        }
    }

    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.adding(duration)
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Goes on in steps until it is so, and lets others run in between. False where it never became so.
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
