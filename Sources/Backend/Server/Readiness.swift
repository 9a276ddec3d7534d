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
    private let name: String

    /// Creates the state of a server that starts. `label` is the name by which a balancer knows it; without
    /// one it is called by the beginning of its incarnation.
    init(label: String? = nil, incarnation: Identifier = ChangeEvent.origin) {
        name = ServerEntry.shownName(label: label, incarnation: incarnation)
    }

    /// Marks the server as serving, unless it drains already.
    func serve() {
        _ = state.compareExchange(expected: .starting, desired: .serving, ordering: .acquiringAndReleasing)
    }

    func drain() { state.store(.draining, ordering: .releasing) }

    /// Adds `/livez` and `/readyz`. `fault` queries the database, and returns nil if it is well; it is not
    /// called while the server starts or drains.
    func add(to router: inout Router, fault: @escaping @Sendable (EventLoop) async -> String?) {
        let alive = Self.answer("alive\n")
        var ready = Self.answer("ready\n")
        ready.headers.append(Routes.serverHeader, name)
        router.on(.get, "/livez", .immediate { _ in alive })
        router.on(
            .get, "/readyz",
            .task { [self, ready] request in
                switch state.load(ordering: .acquiring) {
                case .starting: return Self.unavailable(.unavailable, "The server is starting.", request.id)
                case .draining: return Self.unavailable(.draining, "The server is about to stop.", request.id)
                case .serving: break
                }
                if let fault = await Self.inTime(fault, on: request.loop) {
                    return Self.unavailable(.unavailable, fault, request.id)
                }
                return ready
            })
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

    private static func unavailable(_ name: ProblemName, _ detail: String, _ id: String) -> HTTPResponse {
        Answer.problem(Problem(name, detail: detail), id: id)
    }
}
