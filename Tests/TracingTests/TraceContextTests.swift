import Codecs
import Testing

@testable import Tracing

/// The rules are those of W3C Trace Context, §3.2 and §4.
@Suite("A trace context")
struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"

    @Test("is read and written as W3C has it", arguments: ["00", "01"])
    func valid(flags: String) throws {
        let text = "00-\(Self.trace)-\(Self.span)-\(flags)"
        let context = try #require(TraceContext(text))
        #expect(context.traceID == Self.trace && context.isSampled == (flags == "01"))
        #expect(context.span.hexadecimal == Self.span)
        #expect(context.description == text)
    }

    @Test("of a later version is read as far as it is known")
    func later() throws {
        let context = try #require(TraceContext("cc-\(Self.trace)-\(Self.span)-03-what-comes-later"))
        #expect(context.isSampled && context.description == "00-\(Self.trace)-\(Self.span)-01")
        #expect(TraceContext("cc-\(Self.trace)-\(Self.span)-02")?.isSampled == false)
    }

    @Test(
        "that is not valid is ignored",
        arguments: [
            "", "00", "rubbish", "00-\(trace)-\(span)", "00-\(trace)-\(span)-", "00-\(trace)-\(span)-1",
            "00-\(trace)-\(span)-011", "00-\(trace)-\(span)-01-more", "ff-\(trace)-\(span)-01",
            "cc-\(trace)-\(span)-01.more", "00-\(String(repeating: "0", count: 32))-\(span)-01",
            "00-\(trace)-0000000000000000-01", "00-\(trace.uppercased())-\(span)-01",
            "00-\(trace)-\(span)-0g",
            "00_\(trace)-\(span)-01", " 00-\(trace)-\(span)-01", "0x-\(trace)-\(span)-01",
            "00-\(trace.dropLast())é-\(span)-1", String(repeating: "0", count: 100_000),
        ])
    func invalid(text: String) { #expect(TraceContext(text) == nil) }

    @Test("has ids of their full length, however small their numbers are")
    func small() {
        let context = TraceContext(high: 0, low: 1, span: 0xA, isSampled: true)
        #expect(context.description == "00-00000000000000000000000000000001-000000000000000a-01")
        #expect(TraceContext(context.description) == context)
    }
}
