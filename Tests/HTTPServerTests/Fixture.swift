import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import Synchronization

/// A server on loopback with loops of its own, which stop when it is deallocated.
final class Fixture: Sendable {
    let server: HTTPServer
    let loops: [EventLoop]
    /// The clock of a `timeless` server; nil when the server has the machine's clock.
    private let clock: ManualClock?
    private let group: EventLoopGroup

    /// Returns a server whose timeouts are counted by a clock that stands still until `pass`.
    static func timeless(
        _ configuration: HTTPServerConfiguration = HTTPServerConfiguration.patient,
        _ routes: (inout Router, [EventLoop]) -> Void = { _, _ in }
    ) async throws -> Fixture {
        try await Fixture(configuration, clock: ManualClock(), routes)
    }

    /// Requests with the header `unlimited` are not counted for the limits of their address, and those with
    /// the header `uncounted` not for its rate. The answered requests are told to `told`.
    init(
        _ configuration: HTTPServerConfiguration = HTTPServerConfiguration.patient, clock: ManualClock? = nil,
        loopCount: Int = 2, unlimited header: String? = nil, uncounted: String? = nil,
        sharing: CrossOriginSharing? = nil,
        telling told: Lock<[AnsweredRequest]>? = nil,
        _ routes: (inout Router, [EventLoop]) -> Void = { _, _ in }
    ) async throws {
        var configuration = configuration
        if let clock { configuration.clock = { clock.milliseconds } }
        self.clock = clock
        group = try EventLoopGroup(count: loopCount, name: "http")
        loops = group.loops
        var router = Router()
        Self.addUsual(to: &router)
        routes(&router, loops)
        let service = HTTPService(
            router: router, refuse: { fault, _, _ in Self.refuse(fault) },
            isUnlimited: { head in header.map { head.headers.contains($0) } ?? false },
            isUncounted: { head in uncounted.map { head.headers.contains($0) } ?? false }, sharing: sharing,
            answered: { request in told?.withLock { $0.append(request) } })
        server = try await HTTPServer(
            service, on: loops, binding: Loopback.address, configuration: configuration)
    }

    deinit { group.shutdown() }

    func connect() async throws -> Peer { try await Peer(to: server.address) }

    /// Advances the clock of a `timeless` server, once it has read everything that the peers have sent.
    func pass(_ duration: Duration, after peers: Peer...) async { await pass(duration, after: peers) }

    func pass(_ duration: Duration, after peers: [Peer]) async {
        for peer in peers { await peer.waitUntilSent() }
        await catchUp()
        clock?.advance(by: duration)
    }

    /// Returns when the loops have polled every socket since the call, and handled the events: accepted,
    /// perhaps moved to another loop, read.
    func catchUp() async {
        for _ in 0..<4 {
            for loop in loops {
                let turn = await loop.submit { loop.turn }
                while await loop.submit({ loop.turn }) < turn + 2 {}
            }
        }
    }

    /// Sends the text on a connection of its own, and returns the responses up to its end.
    func exchange(_ text: String, _ methods: HTTPMethod...) async throws -> [Response] {
        let peer = try await connect()
        await peer.send(text)
        return try Response.read(try await peer.readToEnd(), to: methods)
    }

    /// Adds the usual routes: `/now/…` answers at once, `/later/…` by a task that has to wait; both with the
    /// last segment. `/echo` sends the body back.
    private static func addUsual(to router: inout Router) {
        router.immediate(.get, "/now/{text}") {
            HTTPResponse(status: 200, body: Array(($0.parameters.first ?? "").utf8))
        }
        router.task(.get, "/later/{text}") { request in
            for _ in 0..<3 { await Task.yield() }
            return HTTPResponse(status: 200, body: Array((request.parameters.first ?? "").utf8))
        }
        let body = 256 * 1024
        router.immediate(.post, "/echo", body: body) { HTTPResponse(status: 200, body: $0.body) }
        router.task(.post, "/later-echo", body: body) { HTTPResponse(status: 200, body: $0.body) }
        router.immediate(.post, "/short-echo", body: 10) { HTTPResponse(status: 200, body: $0.body) }
    }

    private static func refuse(_ fault: HTTPServerError) -> HTTPResponse {
        switch fault {
        case .unreadable(let error): text(error.status, "unreadable")
        case .badTarget: text(400, "bad target")
        case .notFound: text(404, "not found")
        case .methodNotAllowed(let allowed):
            HTTPResponse(status: 405, headers: ["Allow": allowed], body: Array("not allowed".utf8))
        case .timedOut: text(408, "timed out")
        case .tooManyConnections: text(503, "too many connections")
        case .tooManyConnectionsFromAddress: text(429, "too many connections from there")
        case .outOfMemory: text(503, "out of memory")
        case .tooManyRequests(let seconds):
            HTTPResponse(status: 429, headers: ["Retry-After": "\(seconds)"], body: Array("slow down".utf8))
        }
    }

    private static func text(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(text.utf8))
    }
}

/// A clock of milliseconds that advances when a test says so.
final class ManualClock: Sendable {
    private let elapsed = Atomic<UInt64>(0)

    var milliseconds: UInt64 { elapsed.load(ordering: .relaxed) }

    func advance(by duration: Duration) {
        elapsed.wrappingAdd(UInt64(duration.milliseconds), ordering: .relaxed)
    }
}

extension HTTPServerConfiguration {
    /// Timeouts that no test runs into by the load of the machine; each test shortens its own.
    static var patient: HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration()
        configuration.headerTimeout = .seconds(120)
        configuration.bodyTimeout = .seconds(120)
        configuration.idleTimeout = .seconds(120)
        configuration.handlerTimeout = .seconds(120)
        configuration.writeTimeout = .seconds(120)
        return configuration
    }

    static func patient(_ change: (inout HTTPServerConfiguration) -> Void) -> HTTPServerConfiguration {
        var configuration = patient
        change(&configuration)
        return configuration
    }
}
