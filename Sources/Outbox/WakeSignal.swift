import Contract
import Synchronization

/// A signal that wakes one waiter. A signal that is sent while nobody waits is kept for the next wait.
final class WakeSignal: Sendable {
    private struct State {
        var isSent = false
        /// The number of the latest wait, and that of the latest one whose time is up.
        var turn: UInt64 = 0
        var ended: UInt64 = 0
        var waiter: CheckedContinuation<Bool, Never>?

        /// Returns the answer to a wait; nil while it has to go on. Each signal is consumed once.
        mutating func answer(to turn: UInt64) -> Bool? {
            if isSent {
                isSent = false
                return true
            }
            return ended >= turn ? false : nil
        }
    }

    private let clock: any OutboxClock
    private let state = Mutex(State())

    init(clock: any OutboxClock) {
        self.clock = clock
    }

    func send() {
        update { $0.isSent = true }
    }

    /// Returns true at a signal; false at that instant, or if the task is cancelled. Only one caller waits at
    /// a time.
    func wait(until instant: Timestamp) async -> Bool {
        let turn = state.withLock { state in
            state.turn += 1
            return state.turn
        }
        return await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await self.clock.sleep(for: max(instant.since(self.clock.now()), .zero))
                    self.end(turn)
                }
                let isSent = await self.sleep(turn)
                group.cancelAll()
                return isSent
            }
        } onCancel: {
            end(turn)
        }
    }

    private func sleep(_ turn: UInt64) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Bool? in
                if let answer = state.answer(to: turn) { return answer }
                state.waiter = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    private func end(_ turn: UInt64) {
        update { $0.ended = max($0.ended, turn) }
    }

    /// Changes the state, and wakes the waiter if the change answers it.
    private func update(_ change: (inout State) -> Void) {
        let woken = state.withLock { state -> (CheckedContinuation<Bool, Never>, Bool)? in
            change(&state)
            guard let waiter = state.waiter, let answer = state.answer(to: state.turn) else { return nil }
            state.waiter = nil
            return (waiter, answer)
        }
        if let (waiter, answer) = woken { waiter.resume(returning: answer) }
    }
}
