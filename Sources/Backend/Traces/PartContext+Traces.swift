import Cluster
import Database
import HTTP1
import HTTPServer
import Push
import Reactor
import Scheduling
import Settings
import Tracing

/// The traces of requests.
extension PartContext {
    /// Returns the sender of traces; nil if the operator names no collector.
    static func traces(
        _ configuration: ServerConfiguration, on loop: EventLoop
    ) throws -> TraceExporter? {
        guard let endpoint = configuration.otlpEndpoint else { return nil }
        let exporter = TraceExporter(
            to: endpoint, fields: configuration.otlpHeaders, percent: configuration.tracePercent,
            server: configuration.serverName ?? "\(ChangeEvent.origin)",
            authorities: configuration.authoritiesFile,
            // The operator chooses the collector, whose name is not looked up.
            proxy: configuration.outboundProxy.map {
                OutboundProxy($0, except: configuration.noOutboundProxy)
            }, on: loop)
        guard let exporter else { throw StartFailure("There is no memory for connections.") }
        return exporter
    }

    /// Returns what begins the spans of requests; nil if nothing is traced. What other servers and trusted
    /// proxies have chosen is traced here too.
    static func tracing(
        _ tracer: Tracer?, _ calls: InternalAPI
    ) -> (@Sendable (RequestHead, String, Bool, Int) -> Span?)? {
        guard let tracer else { return nil }
        return { head, route, isTrusted, lot in
            let parents = head.headers.all(TraceContext.field)
            return tracer.begin(
                "\(head.method) \(route)", .server,
                [
                    (name: "http.request.method", value: .text(head.method.rawValue)),
                    (name: "http.route", value: .text(route)),
                ], within: parents.count == 1 ? TraceContext(parents[0]) : nil,
                isTrusted: !parents.isEmpty && (isTrusted || calls.isOfPeer(head)), lot: lot)
        }
    }

    @Sendable static func endSpan(of answered: AnsweredRequest) {
        answered.request?.span?.end(
            [(name: "http.response.status_code", value: .number(Int64(answered.status)))],
            fault: answered.status >= 500 ? "\(answered.status)" : nil)
    }
}
