import Codecs
import Contract
import Logging
import OutboundHTTP
import Push
import Reactor
import Tracing

/// Sends finished spans to the operator's collector, by OTLP over HTTP in JSON. What cannot be sent is
/// dropped and counted: a collector that is away costs no memory and delays nothing.
final class TraceExporter: Sendable {
    struct Counts {
        var sent = 0
        /// The spans that the collector did not take.
        var failed = 0
        /// The spans that found the queue full.
        var dropped = 0

        var figure: Figure {
            Figure(
                "trace_spans_total", "Spans of traces, by what became of them.", by: "outcome",
                [("sent", sent), ("failed", failed), ("dropped", dropped)])
        }
    }

    /// The pause between two looks at the queue.
    private static let interval = Duration.seconds(2)
    /// The most spans of one request.
    private static let batch = 512
    private static let timeout = Duration.seconds(5)

    private struct State {
        var counts = Counts()
        var complaints = RateMeter()
    }

    let tracer: Tracer
    private let url: String
    private let server: String
    /// The fields of each request.
    private let fields: [(name: String, value: String)]
    private let session: HTTPSession
    /// The operator chooses the collector, so private addresses are allowed.
    private let addresses: AddressBook
    private let state = Lock(State())

    /// Creates it; `endpoint` is the collector's URL without `/v1/traces`, as OTEL_EXPORTER_OTLP_ENDPOINT has
    /// it, and `fields` are sent with each request. Nil if there is no memory.
    init?(
        to endpoint: String, fields: [String: String], percent: Int, server: String, authorities: String?,
        proxy: OutboundProxy? = nil, on loop: EventLoop
    ) {
        var configuration = HTTPSessionConfiguration()
        configuration.authorities = authorities
        configuration.idleConnections = 1
        guard let session = HTTPSession(configuration, on: loop) else { return nil }
        self.session = session
        self.server = server
        self.fields =
            [(name: "content-type", value: "application/json")]
            + fields.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        url = "\(endpoint)/v1/traces"
        addresses = AddressBook(
            on: loop, allowsPrivate: true, proxy: proxy,
            descriptors: DescriptorBudget.Share(of: .process, for: .names),
            waitsForDescriptors: false)
        tracer = Tracer(percent: percent)
    }

    /// Sends spans until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            try? await ContinuousClock().sleep(for: Self.interval)
            await flush()
        }
    }

    /// Sends what is left, and closes the connection.
    func finish() async {
        await flush()
        await session.close()
    }

    private func flush() async {
        while true {
            let spans = tracer.take(Self.batch)
            if spans.isEmpty { return }
            // The sending itself is not traced.
            let fault = await Span.$current.withValue(nil) { await send(spans) }
            note(fault, spans.count)
            // The rest would fail as well; the queue drops it if it grows.
            if fault != nil { return }
        }
    }

    /// Sends spans once; returns why they were not taken, or nil.
    private func send(_ spans: [Span.Finished]) async -> String? {
        guard let target = try? WebURL(url) else { return "\(url) is no URL" }
        do {
            var request = OutboundRequest(
                url: url, headers: fields, body: OTLPRequest.json(spans, server: server).bytes,
                pin: try await addresses.pin(for: target))
            request.timeout = Self.timeout
            let answer = try await session.perform(request)
            return (200..<300).contains(answer.status) ? nil : "the answer is \(answer.status)"
        } catch {
            return "\(error)"
        }
    }

    private func note(_ fault: String?, _ count: Int) {
        let now = Monotonic.nanoseconds()
        let isDue = state.withLock { state in
            guard fault != nil else {
                state.counts.sent += count
                return false
            }
            state.counts.failed += count
            return state.complaints.take(of: .onceAMinute, at: now)
        }
        if isDue, let fault { Log.warning("traces are dropped: the collector takes none", ["error": fault]) }
    }

    var counts: Counts {
        var counts = state.withLock { $0.counts }
        counts.dropped = tracer.droppedCount
        return counts
    }
}
