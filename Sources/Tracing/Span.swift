import Reactor
import Synchronization

/// One piece of work of a trace, from its creation to `end`. Any thread may use it.
///
/// Where nothing is traced there is no tracer and no span: then a place that could be traced costs the
/// reading of one flag.
package final class Span: Sendable {
    /// The kinds of OTLP, by their numbers.
    package enum Kind: Int, Sendable {
        case inside = 1
        case server = 2
        case client = 3
    }

    package enum Value: Hashable, Sendable {
        case text(String)
        case number(Int64)
    }

    package typealias Attributes = [(name: String, value: Value)]

    /// A span that is over, as it is sent.
    package struct Finished: Sendable {
        package let context: TraceContext
        /// The id of the span around it.
        package let parent: UInt64?
        package let name: String
        package let kind: Kind
        /// Nanoseconds since 1970.
        package let startedAt: UInt64
        package let endedAt: UInt64
        package let attributes: Attributes
        /// The fault that ended it; nil for a span without one.
        package let fault: String?
    }

    /// The span that the current task works for.
    @TaskLocal package static var current: Span?

    /// Whether this process has a tracer.
    static let isInUse = Atomic<Bool>(false)

    package let context: TraceContext
    private let tracer: Tracer
    private let parent: UInt64?
    private let name: String
    private let kind: Kind
    private let attributes: Attributes
    private let startedAt = UInt64(WallClock.microseconds()) &* 1_000
    private let started = Monotonic.nanoseconds()
    private let isOver = Atomic<Bool>(false)

    init(
        _ name: String, _ kind: Kind, _ attributes: Attributes, within parent: TraceContext?,
        by tracer: Tracer
    ) {
        context = TraceContext.fresh(within: parent)
        self.parent = parent?.span
        self.tracer = tracer
        self.name = name
        self.kind = kind
        self.attributes = attributes
    }

    /// Returns a new span within that of the current task; nil where that task is not traced.
    package static func child(
        _ name: @autoclosure () -> String, _ kind: Kind, _ attributes: @autoclosure () -> Attributes = []
    ) -> Span? {
        guard isInUse.load(ordering: .relaxed), let parent = current else { return nil }
        return Span(name(), kind, attributes(), within: parent.context, by: parent.tracer)
    }

    /// The value of `traceparent` for what the current task asks of others; nil where it is not traced.
    package static var traceparent: String? {
        guard isInUse.load(ordering: .relaxed) else { return nil }
        return current?.context.description
    }

    /// Ends the span; only the first call counts.
    package func end(_ more: Attributes = [], fault: String? = nil) {
        if isOver.exchange(true, ordering: .relaxed) { return }
        tracer.add(
            Finished(
                context: context, parent: parent, name: name, kind: kind, startedAt: startedAt,
                endedAt: startedAt &+ (Monotonic.nanoseconds() &- started), attributes: attributes + more,
                fault: fault))
    }

    /// Ends a span that is still open, for example because the client of a request went away.
    deinit { end(fault: "given up") }
}

extension TraceContext {
    /// Returns the context of a new span, in the same trace as the parent or in a new one.
    static func fresh(within parent: TraceContext?) -> TraceContext {
        var random = SystemRandomNumberGenerator()
        func some() -> UInt64 { UInt64.random(in: 1...UInt64.max, using: &random) }
        return TraceContext(
            high: parent?.high ?? some(), low: parent?.low ?? some(), span: some(), isSampled: true)
    }
}
