import Codecs
import Contract
import Tracing

/// The body of an export of traces, as the protocol buffers of OTLP 1 are written in JSON: names in
/// lowerCamelCase, ids in hexadecimal, 64-bit numbers as text, and enumerations as numbers.
enum OTLPRequest {
    static func json(_ spans: [Span.Finished], server: String) -> JSONValue {
        let resource = attributes([
            ("service.name", .text("letsswitch")), ("service.version", .text(Version.build)),
            ("service.instance.id", .text(server)),
        ])
        let scope: JSONValue = ["name": "letsswitch", "version": .string(Version.build)]
        return [
            "resourceSpans": [
                [
                    "resource": ["attributes": resource],
                    "scopeSpans": [["scope": scope, "spans": .array(spans.map(json))]],
                ]
            ]
        ]
    }

    private static func attributes(_ attributes: Span.Attributes) -> JSONValue {
        .array(
            attributes.map { name, value in
                switch value {
                case .text(let text): ["key": .string(name), "value": ["stringValue": .string(text)]]
                case .number(let number): ["key": .string(name), "value": ["intValue": "\(number)"]]
                }
            })
    }

    private static func json(_ span: Span.Finished) -> JSONValue {
        .present([
            "attributes": attributes(span.attributes), "endTimeUnixNano": "\(span.endedAt)",
            "kind": .integer(span.kind.rawValue), "name": .string(span.name),
            "parentSpanId": span.parent.map { .string($0.hexadecimal) },
            "spanId": .string(span.context.span.hexadecimal), "startTimeUnixNano": "\(span.startedAt)",
            // The code is the number of STATUS_CODE_ERROR.
            "status": span.fault.map { ["code": 2, "message": .string($0)] },
            "traceId": .string(span.context.traceID),
        ])
    }
}
