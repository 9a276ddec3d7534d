package import API
package import Contract
package import Database
import HTTP1
package import HTTPServer
package import Postgres
import Reactor
import Settings

/// The figures of this server that the desk shows beside those of the database.
package struct OwnFigures: Sendable {
    package var clockOffsetSeconds = 0.0
    package var isClockCertain = true
    package var loopLagSeconds: [Double] = []
    package var pool = PoolFigures()
    package var sockets = 0
    package var uptimeSeconds = 0.0
    package var deliveriesUnderWay = 0
    /// The hosts that are left alone for a while.
    package var openCircuits = 0

    package init() {}

    var json: JSONValue {
        [
            "clockOffsetSeconds": .real(clockOffsetSeconds),
            "loopLagSeconds": .array(loopLagSeconds.map { .real($0) }),
            "pool": [
                "leased": .integer(pool.leased), "idle": .integer(pool.idle),
                "waiting": .integer(pool.waiting),
            ], "sockets": .integer(sockets), "uptimeSeconds": .real(uptimeSeconds),
        ]
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
    /// Makes a test delivery to an endpoint of that account.
    let test: @Sendable (_ endpoint: Identifier, _ owner: Identifier) async throws -> EndpointOutcome
    /// Sentences about settings that an operator should know of.
    let warnings: [String]
    let access: DeskAccess
    package let board: LiveBoard

    package init(
        _ application: Application, leaving: Leaving, pool: PostgresPool, auditKey: [UInt8],
        warnings: [String], figures: @escaping @Sendable () async -> OwnFigures,
        test: @escaping @Sendable (Identifier, Identifier) async throws -> EndpointOutcome
    ) {
        self.application = application
        self.leaving = leaving
        self.pool = pool
        audit = AuditLog(key: auditKey)
        self.warnings = warnings
        self.test = test
        access = DeskAccess(pool: pool, now: application.now)
        board = LiveBoard(
            pool: pool, rooms: leaving.rooms, own: figures, lead: application.configuration.leadSeconds,
            now: application.now)
    }

    /// Returns the servers, as the table has them.
    func servers() async throws -> [ServerDirectory.Listed] {
        try await ServerDirectory(pool: pool).list().servers
    }

    /// Adds all routes, and the description of them.
    package func routes(into router: inout Router) {
        let routes = self.routes
        for route in routes {
            router.on(route.method, route.path, body: route.maximumBytes, route.handler)
        }
        let document = DeskDescription(routes: routes).json
        router.immediate(.get, Self.root + "/openapi.json") { _ in DeskCall.json(document) }
    }

    /// The routes, but for the description.
    package var routes: [DeskRoute] {
        sessionRoutes + nowRoutes + slotRoutes + roomRoutes + peopleRoutes + reportRoutes + announcementRoutes
            + signUpRoutes + deliveryRoutes + serverRoutes
    }

    // Making routes.

    /// Returns a route that reads.
    func get(
        _ path: String, _ role: OperatorRole, _ summary: String, query: [String] = [],
        _ handler: @escaping @Sendable (DeskCall) async throws -> HTTPResponse
    ) -> DeskRoute {
        route(.get, path, role, summary, query: query, handler)
    }

    /// Returns a route. One that changes something writes an entry of the audit log itself, in the
    /// transaction of the act.
    func route(
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

    /// Returns a route that reads a page of a list: a statement for `DeskRows.page`, and its parameters.
    func list(
        _ path: String, _ role: OperatorRole, _ summary: String, _ name: String, query: [String] = [],
        _ statement: String,
        _ parameters: @escaping @Sendable (DeskCall) throws -> [any PostgresEncodable]
    ) -> DeskRoute {
        get(path, role, summary, query: query + ["cursor", "limit"]) { call in
            try await page(call, name, statement, try parameters(call))
        }
    }

    // Answering.

    /// Answers with a page of the list that a statement for `DeskRows.page` selects.
    func page(
        _ call: DeskCall, _ name: String, _ statement: String, _ parameters: [any PostgresEncodable]
    ) async throws -> HTTPResponse {
        let page = try await DeskRows.page(statement, parameters, limit: try call.limit(), in: pool)
        return try DeskCall.list(name, page)
    }

    /// Answers with the object that a statement selects; throws a 404 if there is none.
    func one(
        _ statement: String, _ parameters: [any PostgresEncodable], status: Int = 200
    ) async throws -> HTTPResponse {
        let found = try await DeskRows.one(statement, parameters, in: pool).orThrow(DeskCall.notFound)
        return DeskCall.json(stored: found, status: status)
    }

    // Acting.

    /// Returns an entry of the audit log for a call.
    func entry(_ call: DeskCall, _ action: String, _ subject: String) -> AuditEntry {
        AuditEntry(by: call.account.name, action: action, subject: subject, requestID: call.request.id)
    }

    /// Runs an act in a transaction, which ends with its entry in the audit log. The act completes the entry.
    func acting<Value: Sendable>(
        _ call: DeskCall, _ action: String, _ subject: String,
        _ body: @Sendable (PostgresConnection, Timestamp, inout AuditEntry) async throws -> Value
    ) async throws -> Value {
        try await pool.transaction(attempts: 3) { connection in
            let now = application.now()
            var entry = entry(call, action, subject)
            let value = try await body(connection, now, &entry)
            try await audit.write(entry, at: now, on: connection)
            return value
        }
    }
}
