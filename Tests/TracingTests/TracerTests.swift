import Testing

@testable import Tracing

@Suite("A tracer")
struct TracerTests {
    private static func parent(isSampled: Bool) -> TraceContext {
        TraceContext(high: 1, low: 2, span: 3, isSampled: isSampled)
    }

    @Test(
        "chooses a share, and also the choices of a trusted parent",
        arguments: [
            (10, 9, nil, false, true), (10, 10, nil, false, false), (100, 99, nil, false, true),
            (10, 50, true, false, false), (10, 50, true, true, true), (10, 50, false, true, false),
            (10, 5, false, true, true), (10, 50, nil, true, false),
        ] as [(Int, Int, Bool?, Bool, Bool)])
    func share(percent: Int, lot: Int, sampled: Bool?, isTrusted: Bool, isTraced: Bool) {
        let tracer = Tracer(percent: percent)
        let span = tracer.begin(
            "GET /", .server, within: sampled.map { Self.parent(isSampled: $0) }, isTrusted: isTrusted,
            lot: lot)
        #expect((span != nil) == isTraced)
        // A trace that others have begun goes on under its id.
        if let span, sampled != nil { #expect(span.context.high == 1 && span.context.low == 2) }
        #expect(span?.context.span != 3)
    }

    @Test("gives each span its parent, and takes its end once")
    func children() async throws {
        let tracer = Tracer(percent: 100)
        let root = try #require(tracer.begin("request", .server, [("a", .number(1))]))
        #expect(Span.child("outside", .inside) == nil && Span.traceparent == nil)
        await Span.$current.withValue(root) {
            #expect(Span.traceparent == root.context.description)
            await Task.yield()
            let child = Span.child("query", .client)
            child?.end(fault: "23505")
            child?.end()
        }
        root.end([("b", .text("two"))])
        let spans = tracer.take(10)
        #expect(spans.map(\.name) == ["query", "request"])
        #expect(spans.map(\.parent) == [root.context.span, nil])
        #expect(Set(spans.map(\.context.traceID)).count == 1)
        #expect(spans.map(\.fault) == ["23505", nil])
        #expect(spans[1].attributes.map(\.name) == ["a", "b"])
        #expect(spans.allSatisfy { $0.startedAt <= $0.endedAt && $0.startedAt > 1_700_000_000_000_000_000 })
        #expect(tracer.take(10).isEmpty)
    }

    @Test("keeps so many spans and no more, and counts the rest")
    func bound() throws {
        let tracer = Tracer(percent: 100, maximum: 3)
        for number in 0..<5 { tracer.begin("\(number)", .inside)?.end() }
        #expect(tracer.droppedCount == 2)
        #expect(tracer.take(2).map(\.name) == ["0", "1"])
        tracer.begin("5", .inside)?.end()
        #expect(tracer.take(9).map(\.name) == ["2", "5"] && tracer.droppedCount == 2)
    }
}
