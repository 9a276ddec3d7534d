import Contract
import Synchronization

/// Wakes one who waits. A ring while nobody waits is kept for the next.
final class Bell: Sendable {
    private struct State {
        var isRung = false
        /// The latest wait, and the latest whose time is up.
        var turn: UInt64 = 0
        var ended: UInt64 = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let clock: any OutboxClock
    private let state = Mutex(State())

    init(clock: any OutboxClock) {
        self.clock = clock
    }

    func ring() {
        wake { $0.isRung = true }
    }

    /// Returns at a ring, at that instant, or where the task is cancelled. One waits at a time.
    func wait(until instant: Timestamp) async {
        let turn = state.withLock { state in
            state.turn += 1
            return state.turn
        }
        await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await self.clock.sleep(for: max(instant.since(self.clock.now()), .zero))
                    self.end(turn)
                }
                await self.sleep(turn)
                group.cancelAll()
            }
        } onCancel: {
            end(turn)
        }
    }

    private func sleep(_ turn: UInt64) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.isRung || state.ended >= turn {
                    state.isRung = false
                    return true
                }
                state.waiter = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private func end(_ turn: UInt64) {
        wake { $0.ended = max($0.ended, turn) }
    }

    /// Wakes whoever waits where the change is a reason to.
    private func wake(_ change: (inout State) -> Void) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            change(&state)
            guard let waiter = state.waiter, state.isRung || state.ended >= state.turn else { return nil }
            state.isRung = false
            state.waiter = nil
            return waiter
        }
        waiter?.resume()
    }
}
