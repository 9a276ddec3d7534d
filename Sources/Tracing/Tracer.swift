import Reactor
import Synchronization

/// The traces of this process: it decides what is traced, and keeps finished spans until they are taken.
///
/// The queue is bounded. Spans that find it full are dropped and counted; callers never wait (load shedding).
package final class Tracer: Sendable {
    private struct State {
        var spans: [Span.Finished] = []
        var dropped = 0
    }

    /// The share of requests and deliveries that are traced, in per cent.
    private let percent: Int
    private let maximum: Int
    private let state = Lock(State())

    package init(percent: Int, maximum: Int = 4_096) {
        self.percent = percent
        self.maximum = maximum
        Span.isInUse.store(true, ordering: .relaxed)
    }

    /// Begins a trace, or goes on with the one of `parent`, which others have begun; nil for what is not
    /// traced. `lot` is a random number from 0 to 99. What a trusted parent has chosen is traced in any case;
    /// anybody else could choose everything.
    package func begin(
        _ name: @autoclosure () -> String, _ kind: Span.Kind,
        _ attributes: @autoclosure () -> Span.Attributes = [],
        within parent: @autoclosure () -> TraceContext? = nil,
        isTrusted: Bool = false, lot: Int = Int.random(in: 0..<100)
    ) -> Span? {
        let isChosen = lot < percent
        guard isChosen || isTrusted else { return nil }
        let parent = parent()
        guard isChosen || parent?.isSampled == true else { return nil }
        return Span(name(), kind, attributes(), within: parent, by: self)
    }

    /// Begins a span within that of the current task, or a trace where that task has none.
    package func beginHere(
        _ name: String, _ kind: Span.Kind, _ attributes: Span.Attributes = [],
        lot: Int = Int.random(in: 0..<100)
    ) -> Span? {
        Span.child(name, kind, attributes) ?? begin(name, kind, attributes, lot: lot)
    }

    func add(_ span: Span.Finished) {
        state.withLock { state in
            guard state.spans.count < maximum else {
                state.dropped += 1
                return
            }
            state.spans.append(span)
        }
    }

    /// Takes the oldest spans, `count` at most.
    package func take(_ count: Int) -> [Span.Finished] {
        state.withLock { state in
            let taken = Array(state.spans.prefix(count))
            state.spans.removeFirst(taken.count)
            return taken
        }
    }

    /// The number of spans that found the queue full.
    package var droppedCount: Int { state.withLock { $0.dropped } }
}
