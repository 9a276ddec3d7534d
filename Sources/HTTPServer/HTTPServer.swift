package import Codecs
package import Reactor
import Synchronization

/// A server of HTTP/1.1 and WebSocket connections on several loops.
package final class HTTPServer: Sendable {
    /// The state that the loops share.
    final class Shared: Sendable {
        let configuration: HTTPServerConfiguration
        let service: HTTPService
        let limiter: RateLimiter<ClientAddress>?
        let quota: Quota<AddressKey>?
        let ledger = LimitLedger()
        let loads: LoopLoads
        /// The number of open relays.
        let relays = Atomic<Int>(0)
        private let refusals = Atomic<Int>(0)
        private let workers = Lock<[LoopBound<HTTPWorker>]>([])
        private let loops: [EventLoop]

        init(_ configuration: HTTPServerConfiguration, _ service: HTTPService, _ loops: [EventLoop]) {
            self.configuration = configuration
            self.service = service
            self.loops = loops
            loads = LoopLoads(count: loops.count, descriptors: configuration.descriptors)
            limiter =
                configuration.requestsPerSecond > 0
                ? RateLimiter(
                    configuration.requestsPerSecond, per: .seconds(1),
                    burst: 2 * configuration.requestsPerSecond) : nil
            quota =
                configuration.maximumConnectionsPerAddress > 0
                ? Quota(maximum: configuration.maximumConnectionsPerAddress) : nil
        }

        /// Counts a refusal; returns false if so many are under way that this one gets no answer.
        func refusalBegins() -> Bool {
            if refusals.add(1, ordering: .relaxed).newValue <= configuration.maximumRefusals,
                configuration.refusalDescriptors?.take() ?? true
            {
                return true
            }
            refusals.subtract(1, ordering: .relaxed)
            return false
        }

        func refusalEnded() {
            refusals.subtract(1, ordering: .relaxed)
            configuration.refusalDescriptors?.giveBack()
        }

        /// Adds a worker; call it in the order of the loops.
        func add(_ worker: LoopBound<HTTPWorker>) { workers.withLock { $0.append(worker) } }

        func index(of loop: EventLoop) -> Int? { loops.firstIndex { $0 === loop } }

        func loop(_ index: Int) -> EventLoop { loops[index] }

        func worker(of loop: EventLoop) -> LoopBound<HTTPWorker>? { index(of: loop).flatMap { worker($0) } }

        func worker(_ index: Int) -> LoopBound<HTTPWorker>? {
            workers.withLock { index < $0.count ? $0[index] : nil }
        }
    }

    package let address: SocketAddress
    private let loops: [EventLoop]
    private let shared: Shared

    /// Listens, and serves on every loop from then on. Throws `EADDRINUSE` if the port is taken.
    package init(
        _ service: HTTPService, on loops: [EventLoop], binding address: SocketAddress,
        configuration: HTTPServerConfiguration = HTTPServerConfiguration()
    ) async throws {
        let listener = try Listener(binding: address, access: configuration.socketAccess)
        let shared = Shared(configuration, service, loops)
        self.loops = loops
        self.shared = shared
        self.address = listener.address
        for (index, loop) in loops.enumerated() {
            shared.add(
                await loop.submit { LoopBound(HTTPWorker(loop: loop, index, shared: shared), to: loop) })
        }
        for loop in loops {
            try await loop.submit { try shared.worker(of: loop)?.value.start(listener) }
        }
    }

    /// Replaces the service from the next request on.
    package func serve(_ service: HTTPService) async {
        for loop in loops {
            await loop.submit { [shared] in shared.worker(of: loop)?.value.service = service }
        }
    }

    /// The number of open connections of both kinds.
    package var connectionCount: Int { shared.loads.total }

    /// The number of open connections whose bytes are passed to another server.
    package var relayCount: Int { shared.relays.load(ordering: .relaxed) }

    /// The bytes that the connections of the process hold.
    package var memory: MemoryBudget { shared.configuration.memory }

    /// The number of times that each limit was reached.
    package var limitCounts: [LimitEvent: Int] { shared.ledger.counts }

    /// Returns the traffic until now.
    package func traffic() async -> SocketTraffic {
        var sum = SocketTraffic()
        for loop in loops {
            sum += await loop.submit { [shared] in
                shared.worker(of: loop)?.value.traffic ?? SocketTraffic()
            }
        }
        return sum
    }

    /// Returns the figures of the connections.
    package func figures() async -> [Figure] {
        let (traffic, limits, descriptors) = (await traffic(), limitCounts, DescriptorBudget.process.held)
        func count(_ event: LimitEvent) -> Int { limits[event] ?? 0 }
        return [
            Figure("connections", "Open connections of both kinds.", connectionCount),
            Figure(
                "connections_maximum", "How many connections there may be.",
                shared.configuration.maximumConnections),
            Figure(
                "sockets_tunnelled", "Sockets that are passed on to the servers of their rooms.", relayCount),
            Figure(
                "descriptors", "File descriptors in the budget, by the part that holds them.", by: "holder",
                DescriptorBudget.Holder.allCases.map { ($0.name, descriptors[$0] ?? 0) }),
            Figure(
                "traffic_bytes_total", "Bytes of connections, by direction.", by: "direction",
                [("in", traffic.bytes.received), ("out", traffic.bytes.sent)]),
            Figure("queued_bytes", "Bytes that wait for slow readers.", traffic.queuedBytes),
            Figure("memory_held_bytes", "Bytes of requests and output that connections hold.", memory.held),
            Figure("memory_budget_bytes", "How many bytes connections may hold.", memory.maximum),
            Figure(
                "connections_cut_total", "Connections that ended because too many bytes were held.",
                memory.cuts),
            Figure(
                "ping_seconds", "From a ping on a socket to its pong, as the loop notices it.",
                traffic.roundTrips),
            Figure(
                "connections_refused_total", "Connections that were not served, by which limit.", by: "limit",
                [("server", count(.full)), ("address", count(.addressFull))]),
            Figure(
                "accept_pauses_total", "Pauses of a loop in accepting, for want of descriptors or memory.",
                count(.exhausted)),
            Figure(
                "requests_timed_out_total", "Requests that did not arrive whole in time.", by: "part",
                [("header", count(.headTimeout)), ("body", count(.bodyTimeout))]),
            Figure(
                "requests_cancelled_total", "Requests that were cancelled before they were answered.",
                by: "reason", [("hungUp", count(.hungUp)), ("overdue", count(.handlerTimeout))]),
            Figure(
                "sockets_dropped_total", "Sockets that were closed for what their client did not do.",
                by: "reason", [("slowReader", count(.slowConsumer)), ("silent", count(.silent))]),
        ]
    }

    /// Stops accepting, closes idle connections, and lets requests under way finish.
    package func drain() async {
        // First all loops stop accepting: a connection that one has accepted may be on its way to another,
        // which finds it afterwards.
        for loop in loops {
            await loop.submit { [shared] in shared.worker(of: loop)?.value.stopAccepting() }
        }
        for loop in loops {
            await loop.submit { [shared] in shared.worker(of: loop)?.value.drain() }
        }
    }

    /// Waits until no connection is left; returns false after the time-out.
    package func waitUntilEmpty(timeout: Duration) async -> Bool {
        let clock = ContinuousClock()
        let deadline = clock.now + timeout
        while connectionCount > 0 {
            guard clock.now < deadline, (try? await clock.sleep(for: .milliseconds(20))) != nil else {
                return false
            }
        }
        return true
    }
}
