import API
import Contract
import Database
import HTTP1
import HTTPServer
import Postgres
import Reactor
import Scheduling
import Synchronization

/// The state of the server for `/livez` and `/readyz`.
final class Readiness: Sendable {
    enum State: UInt8, AtomicRepresentable { case starting, serving, draining }

    /// The time in which the database has to answer: balancers take a server for gone that is silent for a
    /// second, and end its sockets.
    private static let patience = Duration.milliseconds(700)

    private let state = Atomic<State>(.starting)
    /// The instant of the last change of the state, in monotonic nanoseconds.
    private let changedAt = Atomic<UInt64>(Monotonic.nanoseconds())
    private let name: String

    /// Creates the state of a server that starts. `label` is the name by which a balancer knows it; without
    /// one it is called by the beginning of its incarnation.
    init(label: String? = nil, incarnation: Identifier = ChangeEvent.origin) {
        name = ServerEntry.shownName(label: label, incarnation: incarnation)
    }

    /// Marks the server as serving, unless it drains already.
    func serve() {
        let (isFirst, _) = state.compareExchange(
            expected: .starting, desired: .serving, ordering: .acquiringAndReleasing)
        if isFirst { changedAt.store(Monotonic.nanoseconds(), ordering: .relaxed) }
    }

    func drain() {
        state.store(.draining, ordering: .releasing)
        changedAt.store(Monotonic.nanoseconds(), ordering: .relaxed)
    }

    /// Adds `/livez` and `/readyz`. `fault` queries the database, and returns nil if it is well; it is not
    /// called while the server starts or drains, unless the request is `verbose`: then the answer has `parts`
    /// too, which only the port of operators has.
    func add(
        to router: inout Router, parts: (@Sendable () async -> [PartState])? = nil,
        fault: @escaping @Sendable (EventLoop) async -> String?
    ) {
        let alive = Self.answer("alive\n")
        var ready = Self.answer("ready\n")
        ready.headers.append(Routes.serverHeader, name)
        router.immediate(.get, "/livez") { _ in alive }
        router.task(.get, "/readyz") { [self, ready] request in
            if let parts, !request.query.all("verbose").isEmpty {
                return await verbose(parts, fault, request)
            }
            switch state.load(ordering: .acquiring) {
            case .starting: return Self.unavailable(.unavailable, "The server is starting.", request.id)
            case .draining: return Self.unavailable(.draining, "The server is about to stop.", request.id)
            case .serving: break
            }
            if let fault = await Self.inTime(fault, on: request.loop) {
                return Self.unavailable(.unavailable, Text(english: fault), request.id)
            }
            return ready
        }
    }

    private struct Verbose: Encodable {
        let isReady: Bool
        let parts: [PartState]
    }

    /// Returns the state of each part. The first two say whether the server is ready; the others are told.
    private func verbose(
        _ parts: @Sendable () async -> [PartState], _ fault: @escaping @Sendable (EventLoop) async -> String?,
        _ request: HTTPRequest
    ) async -> HTTPResponse {
        let now = Monotonic.nanoseconds()
        let state = state.load(ordering: .acquiring)
        let age = Double(now - min(now, changedAt.load(ordering: .relaxed))) / 1e9
        let server = PartState(
            name: "server", isWell: state == .serving, ageSeconds: age, detail: "\(state)")
        let said = await Self.inTime(fault, on: request.loop)
        let took = (Monotonic.nanoseconds() &- now) / 1_000_000
        let database = PartState(
            name: "database", isWell: said == nil, detail: said ?? "answered in \(took) ms")
        let isReady = server.isWell && database.isWell
        let answer = Verbose(isReady: isReady, parts: [server, database] + (await parts()))
        do {
            return HTTPResponse(
                status: isReady ? 200 : 503,
                headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
                body: try JSON.encode(answer))
        } catch {
            return Answer.refusal(for: error, id: request.id, in: .english)
        }
    }

    /// Returns what the closure returns, or a fault where it takes too long; then it is cancelled.
    private static func inTime(
        _ fault: @escaping @Sendable (EventLoop) async -> String?, on loop: EventLoop
    ) async -> String? {
        await withTaskGroup(of: String?.self) { group in
            group.addTask(executorPreference: loop) { await fault(loop) }
            group.addTask(executorPreference: loop) {
                try? await ContinuousClock().sleep(for: patience)
                return "The database does not answer."
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    private static func answer(_ text: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"],
            body: Array(text.utf8))
    }

    private static func unavailable(_ name: ProblemName, _ detail: Text, _ id: String) -> HTTPResponse {
        Answer.problem(Problem(name, detail: detail), id: id, in: .english)
    }
}
