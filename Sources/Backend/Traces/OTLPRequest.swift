import Codecs
import Contract
import Tracing

/// The body of an export of traces, as the protocol buffers of OTLP 1 are written in JSON: names in
/// lowerCamelCase, ids in hexadecimal, 64-bit numbers as text, and enumerations as numbers.
struct OTLPRequest: Encodable {
    struct AnyValue: Encodable {
        var stringValue: String?
        /// A 64-bit number.
        var intValue: String?
    }

    struct KeyValue: Encodable {
        let key: String
        let value: AnyValue
    }

    struct Status: Encodable {
        /// The number of STATUS_CODE_ERROR.
        var code = 2
        let message: String
    }

    struct SpanData: Encodable {
        let traceId: String
        let spanId: String
        let parentSpanId: String?
        let name: String
        let kind: Int
        let startTimeUnixNano: String
        let endTimeUnixNano: String
        let attributes: [KeyValue]
        let status: Status?
    }

    struct Scope: Encodable {
        let name: String
        let version: String
    }

    struct ScopeSpans: Encodable {
        let scope: Scope
        let spans: [SpanData]
    }

    struct Resource: Encodable {
        let attributes: [KeyValue]
    }

    struct ResourceSpans: Encodable {
        let resource: Resource
        let scopeSpans: [ScopeSpans]
    }

    let resourceSpans: [ResourceSpans]

    /// Creates the request of spans of a server.
    init(_ spans: [Span.Finished], server: String) {
        let resource: Span.Attributes = [
            ("service.name", .text("letsswitch")), ("service.version", .text(Version.build)),
            ("service.instance.id", .text(server)),
        ]
        resourceSpans = [
            ResourceSpans(
                resource: Resource(attributes: resource.map { KeyValue($0) }),
                scopeSpans: [
                    ScopeSpans(
                        scope: Scope(name: "letsswitch", version: Version.build),
                        spans: spans.map { SpanData($0) })
                ])
        ]
    }
}

extension OTLPRequest.KeyValue {
    init(_ attribute: Span.Attributes.Element) {
        key = attribute.name
        value =
            switch attribute.value {
            case .text(let text): OTLPRequest.AnyValue(stringValue: text)
            case .number(let number): OTLPRequest.AnyValue(intValue: "\(number)")
            }
    }
}

extension OTLPRequest.SpanData {
    init(_ span: Span.Finished) {
        traceId = span.context.traceID
        spanId = span.context.span.hexadecimal
        parentSpanId = span.parent?.hexadecimal
        name = span.name
        kind = span.kind.rawValue
        startTimeUnixNano = "\(span.startedAt)"
        endTimeUnixNano = "\(span.endedAt)"
        attributes = span.attributes.map { OTLPRequest.KeyValue($0) }
        status = span.fault.map { OTLPRequest.Status(message: $0) }
    }
}
