import Reactor

/// A buffer for one reader. Beyond its limit the oldest elements are dropped, so the last one is never lost.
final class FeedBuffer<Element: Sendable>: Sendable {
    private struct State {
        /// The elements; those before `first` have been read.
        var elements: [Element] = []
        var first = 0
        var missed = 0
        var isFinished = false
        var waiter: CheckedContinuation<Element?, Never>?

        var count: Int { elements.count - first }

        mutating func take(_ makeMissed: (@Sendable (Int) -> Element)?) -> Element? {
            if missed > 0, let makeMissed {
                defer { missed = 0 }
                return makeMissed(missed)
            }
            missed = 0
            guard count > 0 else { return nil }
            let element = elements[first]
            dropFirst()
            return element
        }

        mutating func dropFirst() {
            first += 1
            guard first == elements.count || first >= 64 && first * 2 > elements.count else { return }
            elements.removeSubrange(..<first)
            first = 0
        }
    }

    private let state = Lock(State())
    private let limit: Int
    /// Makes the element that reports the number of dropped ones; nil for no report.
    private let makeMissed: (@Sendable (Int) -> Element)?

    init(limit: Int, makeMissed: (@Sendable (Int) -> Element)?) {
        self.limit = max(1, limit)
        self.makeMissed = makeMissed
    }

    func append(_ element: Element) {
        let waiter = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            if state.isFinished { return nil }
            if let waiter = state.waiter.take() { return waiter }
            if state.count == limit {
                state.dropFirst()
                state.missed += 1
            }
            state.elements.append(element)
            return nil
        }
        waiter?.resume(returning: element)
    }

    /// Ends the feed; the buffered elements can still be read.
    func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            return state.waiter.take()
        }
        waiter?.resume(returning: nil)
    }

    /// Returns the next element; nil if there are no more, or the task is cancelled. For one reader at a
    /// time.
    func next() async -> Element? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Element?? in
                    if let element = state.take(makeMissed) { return .some(element) }
                    if state.isFinished || Task.isCancelled || state.waiter != nil { return .some(nil) }
                    state.waiter = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            state.withLock { $0.waiter.take() }?.resume(returning: nil)
        }
    }
}
