import Client
import Contract
import Reactor
import SocketTesting
import TestKit
import Testing

@Suite("Traces", .timeLimit(.minutes(5)))
struct TraceTests {
    /// A collector of traces on loopback, which checks what it gets by the published mapping of OTLP to JSON.
    private final class Collector: Sendable {
        struct Span: Sendable {
            let server: String
            let trace: String
            let id: String
            let parent: String?
            let name: String
            let kind: Int64
            let attributes: [String: String]
        }

        let spans = Lock<[Span]>([])
        let faults = Lock<[String]>([])
        private let server: AnsweringServer

        var port: UInt16 { server.port }

        var url: String { "http://127.0.0.1:\(port)/base" }

        init() async throws {
            let (spans, faults) = (spans, faults)
            server = try await AnsweringServer { received, stream in
                guard let body = Self.body(of: received, faults) else { return }
                do {
                    let read = try Self.spans(in: body)
                    spans.withLock { $0 += read }
                } catch {
                    faults.withLock { $0.append("\(error): \(String(decoding: body, as: UTF8.self))") }
                }
                stream.write(
                    Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}".utf8))
            }
        }

        /// Returns the body of a request; nil while it is incomplete.
        private static func body(of bytes: [UInt8], _ faults: Lock<[String]>) -> [UInt8]? {
            guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            let head = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
            let lines = head.split(separator: "\r\n")
            let length =
                lines.first { $0.hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
            guard bytes.count - (end + 4) >= length else { return nil }
            if !head.hasPrefix("post /base/v1/traces http/1.1")
                || !lines.contains(where: { $0 == "content-type: application/json" })
                || !lines.contains(where: { $0 == "authorization: basic edp5cg==" })
            {
                faults.withLock { $0.append(head) }
            }
            return Array(bytes[(end + 4)...])
        }

        /// Reads an ExportTraceServiceRequest strictly: no other members, ids in hexadecimal, 64-bit numbers
        /// as text, enumerations as numbers.
        private static func spans(in body: [UInt8]) throws -> [Span] {
            let request = try JSONValue.parse(body)
            try members(of: request, ["resourceSpans"])
            return try elements(request["resourceSpans"]).flatMap { group in
                try members(of: group, ["resource", "scopeSpans"])
                try members(of: group["resource"], ["attributes"])
                let resource = try attributes(group["resource"]?["attributes"])
                try check(resource["service.name"] == "letsswitch", "the service's name")
                return try elements(group["scopeSpans"]).flatMap { scope in
                    try members(of: scope, ["scope", "spans"])
                    try members(of: scope["scope"], ["name", "version"])
                    return try elements(scope["spans"]).map {
                        try span($0, of: resource["service.instance.id"] ?? "")
                    }
                }
            }
        }

        private static func span(_ span: JSONValue, of server: String) throws -> Span {
            try members(
                of: span,
                [
                    "traceId", "spanId", "parentSpanId", "name", "kind", "startTimeUnixNano",
                    "endTimeUnixNano",
                    "attributes", "status",
                ])
            let start = UInt64(span["startTimeUnixNano"]?.string ?? "") ?? 0
            let end = UInt64(span["endTimeUnixNano"]?.string ?? "") ?? 0
            try check(start > 1_700_000_000_000_000_000 && end >= start, "the times")
            if let status = span["status"] {
                try members(of: status, ["code", "message"])
                try check(status["code"]?.int == 2, "the status")
            }
            let parent = span["parentSpanId"]?.string
            try check(parent.map { isHex($0, 16) } ?? (span["parentSpanId"] == nil), "the parent")
            guard let trace = span["traceId"]?.string, isHex(trace, 32), let id = span["spanId"]?.string,
                isHex(id, 16), let name = span["name"]?.string, !name.isEmpty, let kind = span["kind"]?.int,
                (1...5).contains(kind)
            else { throw TestError("a span's ids, name or kind") }
            return Span(
                server: server, trace: trace, id: id, parent: parent, name: name, kind: kind,
                attributes: try attributes(span["attributes"]))
        }

        private static func attributes(_ list: JSONValue?) throws -> [String: String] {
            var found: [String: String] = [:]
            for pair in try elements(list) {
                try members(of: pair, ["key", "value"])
                guard let key = pair["key"]?.string, !key.isEmpty, case .object(let value)? = pair["value"],
                    value.count == 1, let text = value[0].value.string
                else { throw TestError("an attribute") }
                try check(
                    value[0].name == "stringValue" || value[0].name == "intValue" && Int64(text) != nil,
                    "the value of \(key)")
                try check(found.updateValue(text, forKey: key) == nil, "\(key) twice")
            }
            return found
        }

        private static func elements(_ value: JSONValue?) throws -> [JSONValue] {
            guard let elements = value?.array else {
                throw TestError("not a list: \(String(describing: value))")
            }
            return elements
        }

        private static func members(of value: JSONValue?, _ known: Set<String>) throws {
            guard case .object(let members)? = value else { throw TestError("no object") }
            let unknown = members.map(\.name).filter { !known.contains($0) }
            try check(unknown.isEmpty, "\(unknown)")
        }

        private static func isHex(_ text: String, _ count: Int) -> Bool {
            text.utf8.count == count && text.allSatisfy { "0123456789abcdef".contains($0) }
                && text.contains { $0 != "0" }
        }

        private static func check(_ isTrue: Bool, _ what: String) throws {
            if !isTrue { throw TestError("not as OTLP has it: \(what)") }
        }

        /// Waits for a span.
        func span(_ isWanted: @escaping @Sendable (Span) -> Bool) async throws -> Span {
            try await eventually { self.spans.withLock { $0.contains(where: isWanted) } }
            guard let found = spans.withLock({ $0.first(where: isWanted) }) else {
                throw TestError("no span")
            }
            return found
        }
    }

    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    @Test("go through two servers, from a request to the statements, the match, the delivery and the tunnel")
    func whole() async throws {
        let collector = try await Collector()
        let settings = [
            "OTLP_ENDPOINT": collector.url, "TRACE_PERCENT": "100", "ALLOW_PRIVATE_WEBHOOKS": "true",
            "OTLP_HEADERS": "Authorization=Basic eDp5Cg==",
        ]
        let deliveries = Lock<[String]>([])
        let receiver = try await AnsweringServer { received, stream in
            let text = String(decoding: received, as: UTF8.self)
            deliveries.withLock { $0.append(text) }
            stream.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
        }
        try await Stage.with { stage in
            let one = try await stage.startOne(settings.merging(["SERVER_NAME": "one"]) { $1 })
            let two = try await stage.startOne(settings.merging(["SERVER_NAME": "two"]) { $1 })
            let ada = try await Person(named: "Ada", on: one)
            let bearer = "Authorization: Bearer \(ada.token)"
            let parent = "00-\(Self.trace)-00f067aa0ba902b7-01"
            let me = try await Curl(
                "\(one.url)/v1/me?secret=hush", "-H", bearer, "-H", "traceparent: \(parent)")
            #expect(me.status == 200)
            let asked = try await collector.span { $0.name == "GET /v1/me" }
            #expect(asked.trace == Self.trace && asked.parent == "00f067aa0ba902b7" && asked.kind == 2)
            #expect(asked.server == "one" && asked.attributes["http.response.status_code"] == "200")
            #expect(asked.attributes["http.route"] == "/v1/me")
            let query = try await collector.span { $0.parent == asked.id }
            #expect(query.trace == Self.trace && query.kind == 3 && query.name == "SELECT")
            #expect(query.attributes["db.query.text"]?.contains("SELECT") == true)

            let hook = "{\"kind\":\"webhook\",\"url\":\"http://127.0.0.1:\(receiver.port)/hook\"}"
            #expect(try await Curl.post("\(one.url)/v1/endpoints", hook, token: ada.token).status == 201)
            let room = try await ada.enter(stage.grid.openSlot).roomId
            let match = try await collector.span { $0.name == "match" }
            #expect(match.kind == 1 && match.parent == nil && match.attributes["letsswitch.slot"] != nil)
            let delivery = try await collector.span { $0.name == "delivery" }
            #expect(delivery.attributes["letsswitch.channel"] == "webhook" && delivery.kind == 3)
            let sent = "traceparent: 00-\(delivery.trace)-\(delivery.id)-01"
            #expect(deliveries.withLock { $0.contains { $0.lowercased().contains(sent) } }, "\(sent)")

            // One of the two has to bring the socket to the other.
            for server in [one, two] { try await RoomSocket.open(room, as: try ada.at(server)).drop() }
            let tunnel = try await collector.span { $0.name == "tunnel" }
            let socket = try await collector.span { $0.id == tunnel.parent }
            #expect(socket.name == "GET /socket" && tunnel.kind == 3)
            #expect(tunnel.attributes["letsswitch.outcome"] == "open")
            let owner = try await collector.span {
                $0.parent == tunnel.id && $0.name == "GET /cluster/socket"
            }
            #expect(owner.trace == tunnel.trace && owner.server != socket.server)
            #expect(collector.faults.withLock { $0 } == [])
            for span in collector.spans.withLock({ $0 }) {
                for hidden in [ada.token, "hush", "\(room)"] {
                    #expect(!"\(span)".contains(hidden), "\(span)")
                }
            }
            #expect(try await Metric.own("trace_spans_total{outcome=\"sent\"}", of: one) > 3)
        }
    }

    @Test("go to the collector through the outbound proxy, which looks it up")
    func proxied() async throws {
        let collector = try await Collector()
        let proxy = try await ConnectProxy(to: ["collector.invalid:4318": collector.port])
        try await Stage.with { stage in
            let url = "http://collector.invalid:4318/base"
            let server = try await stage.startOne([
                "OTLP_ENDPOINT": url, "TRACE_PERCENT": "100", "OTLP_HEADERS": "Authorization=Basic eDp5Cg==",
                "OUTBOUND_PROXY": "http://127.0.0.1:\(proxy.port)",
            ])
            #expect(try await Curl("\(server.url)/v1/me").status == 401)
            _ = try await collector.span { $0.name == "GET /v1/me" }
            #expect(collector.faults.withLock { $0 } == [])
            let requests = proxy.requests
            #expect(requests.allSatisfy { $0.hasPrefix("POST \(url)/v1/traces HTTP/1.1\r\n") }, "\(requests)")
        }
    }

    @Test("of a collector that is away are dropped and counted, and nothing waits for it")
    func away() async throws {
        try await Stage.with { stage in
            let server = try await stage.startOne([
                "OTLP_ENDPOINT": "http://127.0.0.1:1", "TRACE_PERCENT": "100",
            ])
            for _ in 0..<5 { #expect(try await Curl("\(server.url)/v1/me").status == 401) }
            try await eventually {
                try await Metric.own("trace_spans_total{outcome=\"failed\"}", of: server) >= 5
            }
            #expect(server.log.contains("traces are dropped"))
            #expect(try await Curl("\(server.url)/readyz").status == 200)
        }
    }

    @Test("are off by default, whatever a client asks for")
    func off() async throws {
        try await Stage.with { stage in
            let server = try await stage.startOne()
            let parent = "traceparent: 00-\(Self.trace)-00f067aa0ba902b7-01"
            #expect(try await Curl("\(server.url)/livez", "-H", parent).status == 200)
            for outcome in ["sent", "failed", "dropped"] {
                #expect(try await Metric.own("trace_spans_total{outcome=\"\(outcome)\"}", of: server) == 0)
            }
        }
    }
}
