package import API
package import Contract
package import Database
import HTTP1
package import HTTPServer
package import Postgres
import Reactor
package import Rooms
import Settings

/// The parts of the rest of the server that the desk asks.
package struct DeskParts: Sendable {
    /// The servers, as the table has them.
    package var servers: @Sendable () async throws -> [ServerDirectory.Listed]
    /// The rooms of this server.
    package var rooms: @Sendable () async -> RoomStatistics
    /// The attempts to deliver that are under way, and the hosts that are left alone.
    package var deliveries: @Sendable () async -> (inFlight: Int, openCircuits: Int)
    /// The figures of this server, in JSON.
    package var figures: @Sendable () async -> String
    /// Whether the clock of this server is certain.
    package var isClockCertain: @Sendable () -> Bool
    /// Makes a test delivery to an endpoint of that account.
    package var test: @Sendable (Identifier, Identifier) async throws -> EndpointOutcome
    /// Looks for announcements that are not made.
    package var announce: @Sendable () -> Void
    /// Sentences about settings that an operator should know of.
    package var warnings: [String]

    package init(
        servers: @escaping @Sendable () async throws -> [ServerDirectory.Listed],
        rooms: @escaping @Sendable () async -> RoomStatistics,
        deliveries: @escaping @Sendable () async -> (inFlight: Int, openCircuits: Int),
        figures: @escaping @Sendable () async -> String, isClockCertain: @escaping @Sendable () -> Bool,
        test: @escaping @Sendable (Identifier, Identifier) async throws -> EndpointOutcome,
        announce: @escaping @Sendable () -> Void, warnings: [String]
    ) {
        self.servers = servers
        self.rooms = rooms
        self.deliveries = deliveries
        self.figures = figures
        self.isClockCertain = isClockCertain
        self.test = test
        self.announce = announce
        self.warnings = warnings
    }
}

/// The desk: the API of operators, below `/admin/v1`, on a listener of its own.
package struct Desk: Sendable {
    static let root = "/admin/v1"

    let application: Application
    let leaving: Leaving
    /// The pool of the desk, so that no look of an operator keeps people waiting.
    package let pool: PostgresPool
    package let audit: AuditLog
    /// Whether the audit log is being verified: one at a time, since that holds a connection to its end.
    let isVerifying = Lock(false)
    let parts: DeskParts
    let access: DeskAccess
    package let board: LiveBoard

    package init(
        _ application: Application, leaving: Leaving, pool: PostgresPool, auditKey: [UInt8],
        parts: DeskParts
    ) {
        self.application = application
        self.leaving = leaving
        self.pool = pool
        audit = AuditLog(key: auditKey)
        self.parts = parts
        access = DeskAccess(pool: pool, now: application.now)
        board = LiveBoard(
            pool: pool, parts: parts, lead: application.configuration.leadSeconds, now: application.now)
    }

    /// Adds all routes, and the description of them.
    package func routes(into router: inout Router) {
        let routes = self.routes
        for route in routes {
            router.on(route.method, route.path, body: route.maximumBytes, route.handler)
        }
        let document = DeskDescription(routes: routes).text
        router.on(.get, Self.root + "/openapi.json", .immediate { _ in DeskCall.json(document) })
    }

    /// The routes, but for the description.
    package var routes: [DeskRoute] {
        sessionRoutes + nowRoutes + slotRoutes + roomRoutes + peopleRoutes + reportRoutes + announcementRoutes
            + deliveryRoutes + serverRoutes
    }

    // Making routes.

    /// Returns a route that reads.
    func get(
        _ path: String, _ role: OperatorRole, _ summary: String, query: [String] = [],
        _ handler: @escaping @Sendable (DeskCall) async throws -> HTTPResponse
    ) -> DeskRoute {
        route(.get, path, role, summary, query: query, handler)
    }

    /// Returns a route that changes something. It writes an entry of the audit log itself, in the transaction
    /// of the act.
    func act(
        _ method: HTTPMethod = .post, _ path: String, _ role: OperatorRole, _ summary: String,
        status: Int = 200,
        body: [DeskRoute.Member] = [], _ handler: @escaping @Sendable (DeskCall) async throws -> HTTPResponse
    ) -> DeskRoute {
        route(method, path, role, summary, status: status, body: body, handler)
    }

    private func route(
        _ method: HTTPMethod, _ path: String, _ role: OperatorRole, _ summary: String, status: Int = 200,
        body: [DeskRoute.Member] = [], query: [String] = [],
        _ handler: @escaping @Sendable (DeskCall) async throws -> HTTPResponse
    ) -> DeskRoute {
        let isWrite = method != .get
        return DeskRoute(
            method: method, path: Self.root + path, role: role, summary: summary, status: status, body: body,
            query: query,
            handler: .task { request in
                do {
                    let session = try await access.read(request, least: role, isWrite: isWrite)
                    return try await handler(DeskCall(request: request, session: session))
                } catch {
                    return Answer.refusal(for: error, id: request.id, in: .english)
                }
            })
    }

    // Acting.

    /// Returns an entry of the audit log for a call.
    func entry(
        _ call: DeskCall, _ action: String, _ subject: String, before: DeskJSON? = nil,
        after: DeskJSON? = nil, person: Identifier? = nil
    ) -> AuditEntry {
        AuditEntry(
            by: call.account.name, action: action, subject: subject, before: before?.text, after: after?.text,
            person: person, requestID: call.request.id)
    }

    /// Runs an act in a transaction, which ends with its entry in the audit log. The act returns the entry
    /// and a value.
    func acting<Value: Sendable>(
        _ body: @Sendable (PostgresConnection, Timestamp) async throws -> (AuditEntry, Value)
    ) async throws -> Value {
        try await pool.transaction(attempts: 3) { connection in
            let now = application.now()
            let (entry, value) = try await body(connection, now)
            try await audit.write(entry, at: now, on: connection)
            return value
        }
    }

    /// Writes what an operator has seen or asked for, where nothing else changes in the database.
    func note(_ entry: AuditEntry) async throws {
        try await acting { _, _ in (entry, ()) }
    }
}
