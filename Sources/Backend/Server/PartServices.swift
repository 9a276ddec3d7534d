import API
import Cluster
import Console
import Database
import HTTP1
import HTTPServer
import Logging
import Postgres
import Reactor
import Settings
import Web

/// The services of the listeners, made of the calls of all parts.
struct PartServices: Sendable {
    let context: PartContext
    let cluster: ClusterParts
    let server: ServerPart
    let readiness: Readiness
    /// The parts whose figures and states operators see.
    let parts: [any Part]
    private let writes = WriteCheck()

    /// Returns the services for clients, for other servers and, if there is a desk, for operators.
    /// Throws `StartFailure` if the path of `PUBLIC_URL` is one of the service's own.
    func make(
        from routers: Routers
    ) throws(StartFailure) -> (open: HTTPService, inside: HTTPService, desk: HTTPService?) {
        var routers = routers
        let configuration = context.configuration
        let accessLog = AccessLog(
            choice: configuration.accessLog, percent: configuration.accessLogPercent)
        readiness.add(to: &routers.open) { loop in await fault(on: loop) }
        var desk: HTTPService?
        if configuration.adminPort == nil {
            server.addMetrics(of: parts, to: &routers.open)
        } else {
            desk = self.desk(&routers.desk, accessLog)
        }
        let inside = HTTPService(
            router: routers.inside, refuse: Answer.refusal, notice: LimitNotice.log,
            bodyLimit: { cluster.calls.bodyLimit($0, $1) },
            trace: PartContext.tracing(context.traces?.tracer, cluster.calls), answered: PartContext.endSpan)
        let (open, base) = (open(&routers.open, accessLog), configuration.basePath)
        if open.uses(base) {
            throw StartFailure("PUBLIC_URL has the path \(base), which the server uses itself: use another.")
        }
        return (open.below(base), inside, desk)
    }

    private func desk(_ router: inout Router, _ accessLog: AccessLog) -> HTTPService {
        let states: @Sendable () async -> [PartState] = {
            var states: [PartState] = []
            for part in parts { states += await part.states }
            return states
        }
        readiness.add(to: &router, parts: states) { loop in await fault(on: loop) }
        server.addDebug(of: parts, to: &router)
        server.addMetrics(of: parts, to: &router)
        let configuration = context.configuration
        AdminHosts(bound: configuration.adminHost, others: configuration.adminHosts).screen(&router)
        return HTTPService(
            router: router, refuse: Answer.refusal, notice: LimitNotice.log,
            isUncounted: { OperatorsPage.isOfPage($0) }, answered: { accessLog.write($0) })
    }

    private func open(_ router: inout Router, _ accessLog: AccessLog) -> HTTPService {
        let hasPage = context.configuration.web == .on
        // Servers reach each other at a port of their own, which has no limits.
        let isInside = context.configuration.internalPort != nil
        if hasPage {
            WebPage.add(to: &router, others: cluster.pages, below: context.configuration.basePath)
        }
        return HTTPService(
            router: router, refuse: Answer.refusal, notice: LimitNotice.log,
            isUnlimited: { !isInside && cluster.calls.liftsAddressLimits($0) },
            isUncounted: { hasPage && WebPage.isOfPage($0, others: cluster.pages) },
            bodyLimit: { cluster.calls.bodyLimit($0, $1) },
            sharing: CrossOriginSharing(context.configuration),
            trace: PartContext.tracing(context.traces?.tracer, cluster.calls),
            answered: { answered in
                if let request = answered.request {
                    Log.debug(
                        "request",
                        [
                            "method": request.head.method.rawValue, "path": request.loggedPath,
                            "status": answered.status, "ms": (answered.seconds * 1_000).rounded(),
                            "request": request.id,
                        ])
                }
                server.requests.add(answered)
                PartContext.endSpan(of: answered)
                accessLog.write(answered)
            })
    }

    /// Returns why no request can be served; nil if the database answers and takes writes.
    private func fault(on loop: EventLoop) async -> String? {
        do {
            return try await context.application.database(loop).withConnection { connection in
                if let fault = try await SchemaVersion.read(on: connection).fault { return fault }
                return try await writes.fault(on: connection)
            }
        } catch {
            return "The database cannot be reached."
        }
    }
}
