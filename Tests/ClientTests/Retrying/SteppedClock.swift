import Reactor

/// A clock that a test moves. Sleepers wake when their time has come, or when they are cancelled.
final class SteppedClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        let offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let id: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct Watcher {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Sleeper] = []
        var watchers: [Watcher] = []
        var nextID = 0
        var cancelled: Set<Int> = []
    }

    private let state = Lock(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                    if state.now >= deadline || state.cancelled.contains(id) { return [continuation] }
                    state.sleepers.append(
                        Sleeper(id: id, deadline: deadline, continuation: continuation))
                    defer { state.watchers.removeAll { $0.deadline == deadline } }
                    return state.watchers.filter { $0.deadline == deadline }.map(\.continuation)
                }
                for continuation in woken { continuation.resume() }
            }
        } onCancel: {
            let woken = state.withLock { state in
                state.cancelled.insert(id)
                defer { state.sleepers.removeAll { $0.id == id } }
                return state.sleepers.first { $0.id == id }?.continuation
            }
            woken?.resume()
        }
        try Task.checkCancellation()
    }

    /// Returns when a task sleeps until exactly that long after the start.
    func sleeper(until offset: Duration) async {
        let deadline = Instant(offset: offset)
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.contains(where: { $0.deadline == deadline }) { return true }
                state.watchers.append(Watcher(deadline: deadline, continuation: continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Advances to that long after the start, and wakes the sleepers whose time has come.
    func advance(to offset: Duration) {
        let woken = state.withLock { state in
            state.now = Instant(offset: offset)
            let due = state.sleepers.filter { $0.deadline.offset <= offset }
            state.sleepers.removeAll { $0.deadline.offset <= offset }
            return due.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }
}
