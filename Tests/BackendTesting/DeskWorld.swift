import Contract
import Crypto
import HTTP1
import HTTPServer
import Postgres
import Reactor
import Rooms
import Scheduling
import Testing

@testable import API
@testable import Backend
@testable import Console
@testable import Database
@testable import Settings

/// A desk on the database of a world, with an operator of each role.
struct DeskWorld: Sendable {
    let world: RESTWorld
    let desk: Desk
    let port: UInt16

    /// The number of change events that wake the worker of announcements.
    var announcementEvents: Int {
        world.changeEvents.withLock { events in
            events.count { if case .announcement = $0 { true } else { false } }
        }
    }

    static let auditKey = [UInt8](repeating: 3, count: 32)
    static let password = "a long password"
    static let cheap = PasswordHash.Parameters(cost: 10, blockSize: 8, parallelism: 1)
    static let own = "Sec-Fetch-Site: same-origin"

    static func with(
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @Sendable (DeskWorld) async throws -> Void
    ) async throws {
        try await RESTWorld.with(configure: configure) { world in
            let (application, pool) = (world.application, world.pool)
            let desk = Desk(
                application, leaving: world.leaving, pool: pool, auditKey: auditKey,
                warnings: ["A warning."], figures: { OwnFigures() },
                test: { try await world.deliveries.test($0, of: $1) })
            for role in OperatorRole.allCases {
                let hash = try PasswordHash(of: password, parameters: cheap)
                let isAdded = try await pool.transaction { connection in
                    let isAdded = try await OperatorAccounts.add(
                        role.rawValue, role, hash, nil, on: connection)
                    guard role == OperatorRole.allCases.first else { return isAdded }
                    // The chain begins with the first operator.
                    let entry = AuditEntry(
                        by: "test", action: AuditLog.firstAction, subject: "operator:\(role.rawValue)",
                        requestID: "test")
                    try await desk.audit.write(entry, at: application.now(), on: connection)
                    return isAdded
                }
                #expect(isAdded)
            }
            // Tests are a proxy that tells who asks.
            var configuration = HTTPServerConfiguration.patient
            configuration.trustedProxies = [try #require(IPNetwork("127.0.0.1"))]
            var router = Router()
            desk.routes(into: &router)
            OperatorsPage.add(to: &router)
            let server = try await HTTPServer(
                HTTPService(router: router, refuse: { Answer.refusal(for: $0, to: $1, id: $2) }),
                on: [pool.loop],
                binding: try #require(SocketAddress(numeric: "127.0.0.1", port: 0)),
                configuration: configuration)
            let made = DeskWorld(world: world, desk: desk, port: server.address.port)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask(executorPreference: pool.loop) { await desk.board.run() }
                defer { group.cancelAll() }
                try await body(made)
            }
            await server.drain()
        }
    }

    /// Lends a world to the body, and a token of an operator.
    static func withToken(
        _ role: OperatorRole, _ body: @Sendable (DeskWorld, _ token: String) async throws -> Void
    ) async throws {
        try await with { try await body($0, try await $0.token(role)) }
    }

    /// Lends a world to the body, and the token and the id of a person who has signed up: Ann.
    static func withPerson(
        _ body: @Sendable (DeskWorld, _ ann: (token: String, id: Identifier)) async throws -> Void
    ) async throws {
        try await with { try await body($0, try await $0.person("Ann")) }
    }

    /// Sends a request, and checks the status of the answer if one is expected; `path` is below the root.
    @discardableResult
    func send(
        _ method: String, _ path: String, token: String? = nil, cookie: String? = nil, body: String? = nil,
        headers: [String] = [], expecting status: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> RawHTTP.Response {
        var lines = ["\(method) \(Desk.root)\(path) HTTP/1.1", "Host: desk", "Connection: close"] + headers
        if let token { lines.append("Authorization: Bearer \(token)") }
        if let cookie { lines.append("Cookie: \(DeskAccess.cookie.name)=\(cookie)") }
        if let body {
            lines += ["Content-Length: \(body.utf8.count)", "Content-Type: application/json"]
        }
        let text = lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
        let response = try await RawHTTP.exchange(port: port, Array(text.utf8))
        if let status {
            #expect(response.status == status, "\(response.text)", sourceLocation: sourceLocation)
        }
        return response
    }

    func signIn(
        _ name: String, _ password: String = password, code: String? = nil, headers: [String] = []
    ) async throws -> RawHTTP.Response {
        let last = code.map { ",\"code\":\"\($0)\"" } ?? ""
        return try await send(
            "POST", "/session", body: "{\"name\":\"\(name)\",\"password\":\"\(password)\"\(last)}",
            headers: headers)
    }

    /// Signs in, and returns the value of the cookie.
    func cookie(_ role: OperatorRole) async throws -> String {
        let answer = try await signIn(role.rawValue)
        let field = try #require(answer.headers["set-cookie"], "\(answer.text)")
        return String(field.prefix { $0 != ";" }.dropFirst(DeskAccess.cookie.name.count + 1))
    }

    /// Makes a token of an operator, without a password.
    func token(_ role: OperatorRole) async throws -> String {
        let secret = OperatorToken.make()
        let now = world.clock.now
        let found = try await OperatorAccounts.find(role.rawValue, from: "", in: world.pool)
        let account = try #require(found).account
        let id = try await world.pool.transaction {
            try await OperatorSessions.add(
                secret, to: account, label: "test", role: role, until: now.adding(.seconds(3600)),
                madeBy: nil, at: now, on: $0)
        }
        #expect(id != nil)
        return secret.text
    }

    /// Signs a person up; returns the token and the id.
    func person(_ name: String) async throws -> (token: String, id: Identifier) {
        let token = try await world.signUp(name)
        let id = try await world.send("GET", "/v1/me", token: token).json()["user"]?["id"]?.string
        return (token, try #require(id.flatMap { Identifier($0) }))
    }

    func verification() async throws -> AuditLog.Verification {
        try await desk.audit.verify(in: world.pool)
    }

    /// The actions in the audit log after the one that began it, the oldest first.
    func actions() async throws -> [String] {
        var actions: [String] = []
        for row in try await world.pool.query("SELECT action FROM audit WHERE id > 1 ORDER BY id") {
            actions.append(try row.decode(0, String.self))
        }
        return actions
    }
}
