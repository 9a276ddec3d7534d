import Reactor

/// A fan-out: a publisher that passes each element on to all current subscribers, each with a buffer of its
/// own: a slow consumer delays no other.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var buffers: [UInt64: FeedBuffer<Element>] = [:]
        var next: UInt64 = 0
        var isFinished = false
        var latest: Element?
    }

    private let state: Lock<State>
    private let limit: Int
    private let beginsWithLatest: Bool
    private let makeMissed: (@Sendable (Int) -> Element)?

    /// Makes a broadcast. With `latest`, each feed starts with the latest element, at first this one. `limit`
    /// bounds each buffer; `missed` makes the element that reports the number of dropped ones.
    init(latest: Element? = nil, limit: Int, missed: (@Sendable (Int) -> Element)? = nil) {
        state = Lock(State(latest: latest))
        beginsWithLatest = latest != nil
        self.limit = limit
        makeMissed = missed
    }

    /// Returns a feed of all elements from now on.
    func feed() -> Feed<Element> {
        let buffer = FeedBuffer(limit: limit, makeMissed: makeMissed)
        let number = state.withLock { state in
            if beginsWithLatest, let latest = state.latest { buffer.append(latest) }
            if state.isFinished { buffer.finish() }
            state.next += 1
            state.buffers[state.next] = buffer
            return state.next
        }
        return Feed(Subscription(buffer) { [self] in state.withLock { $0.buffers[number] = nil } })
    }

    func publish(_ element: Element) {
        let buffers = state.withLock { state in
            if beginsWithLatest { state.latest = element }
            return Array(state.buffers.values)
        }
        for buffer in buffers { buffer.append(element) }
    }

    /// Ends all feeds.
    func finish() {
        let buffers = state.withLock { state in
            state.isFinished = true
            return Array(state.buffers.values)
        }
        for buffer in buffers { buffer.finish() }
    }
}
