import API
import CLinux
import Contract
import Glibc
import HTTPServer
import Logging
import Postgres
import PrivatePostgres
import Reactor
import Settings

/// `letsswitch-server serve`, which starts the server, runs it, and stops it in order.
struct ServeCommand: Sendable {
    let configuration: ServerConfiguration
    /// The bytes that the connections of all ports may hold.
    private let memory: MemoryBudget
    private let descriptors: DescriptorPlan

    /// Throws `StartFailure` if the limit of open files is too low for the settings.
    init(configuration: ServerConfiguration) throws(StartFailure) {
        self.configuration = configuration
        memory = MemoryBudget(maximum: configuration.bufferBytes)
        descriptors = try DescriptorPlan(limit: DescriptorBudget.limit, configuration)
    }

    /// Runs until SIGTERM or SIGINT; a second signal ends the process at once. Throws `StartFailure` if the
    /// server cannot start.
    func run() async throws {
        let group = try loops()
        // The second background loop delivers, so that neither loop waits for the other.
        let background = try EventLoopGroup(count: 2, name: "background", .epoll)
        let loop = background.loops[0]
        descriptors.open(on: loop)
        let (signals, continuation) = AsyncStream<CInt>.makeStream()
        let watcher = try await loop.submit {
            var isEnding = false
            return try LoopBound(
                SignalWatcher([SIGTERM, SIGINT], on: loop) { signal in
                    if isEnding {
                        Log.flush(within: .milliseconds(200))
                        _exit(1)
                    }
                    isEnding = true
                    continuation.yield(signal)
                }, to: loop)
        }
        try await serve(group.loops, background: background.loops, until: signals)
        await loop.submit { watcher.value.stop() }
        group.shutdown()
        background.shutdown()
    }

    private func loops() throws -> EventLoopGroup {
        do throws(SystemError) {
            let group = try EventLoopGroup(
                count: configuration.workers, name: "loop", configuration.reactor)
            let usesRing = group.loops[0].usesRing
            if configuration.reactor == .automatic {
                Log.info("reactor", ["waits": usesRing ? "io_uring" : "epoll"])
            }
            return group
        } catch {
            throw StartFailure("REACTOR=\(configuration.reactor.rawValue) cannot be had here: \(error)")
        }
    }

    private func serve(
        _ loops: [EventLoop], background: [EventLoop], until signals: AsyncStream<CInt>
    ) async throws {
        Text.prepare()
        let readiness = Readiness(label: configuration.serverName)
        let server = try await listen(on: loops, readiness)
        let publicURL = configuration.publicURL(boundTo: server.address.port)
        Log.info("listening", ["address": "\(server.address)", "url": publicURL])
        if SettingWarnings.isWildcard(publicURL) {
            Log.warning("PUBLIC_URL cannot be reached by clients; set it for invites", ["url": publicURL])
        }
        if let warning = SettingWarnings.misplaced(configuration) { Log.warning(warning) }
        try await withThrowingTaskGroup(of: Ending.self) { group in
            group.addTask {
                for await _ in signals { break }
                return .asked
            }
            group.addTask {
                try await work(server, loops, background, readiness, publicURL)
                return .finished
            }
            guard try await group.next() == .asked else { return group.cancelAll() }
            Log.info("draining")
            readiness.drain()
            // The cancelled tasks drain the server and end.
            group.cancelAll()
            do {
                while try await group.next() != nil {}
            } catch is CancellationError {
                // A signal during the start is no failure.
            } catch PostgresError.cancelled {
            } catch ClusterError.cancelled {
            }
        }
        Log.info("stopped")
    }

    private enum Ending { case asked, finished }

    /// Starts to listen. Until the service is ready, requests that need the database are told that it is not
    /// there yet.
    private func listen(on loops: [EventLoop], _ readiness: Readiness) async throws -> HTTPServer {
        var router = Router()
        readiness.add(to: &router) { _ in nil }
        EventEndpoints.addPostponing(to: &router)
        let service = HTTPService(
            router: router,
            refuse: { fault, head, id in
                switch fault {
                case .notFound, .methodNotAllowed:
                    Answer.problem(
                        Problem(.unavailable, detail: "The server is starting. Try again in a moment."),
                        id: id, in: .english)
                case .unreadable, .badTarget, .timedOut, .tooManyConnections, .tooManyConnectionsFromAddress,
                    .tooManyRequests, .outOfMemory:
                    Answer.refusal(for: fault, to: head, id: id)
                }
            }, notice: LimitNotice.log
        ).below(configuration.basePath)
        let limits = HTTPServerConfiguration(configuration, descriptors, memory, for: .connections)
        if limits.maximumConnections < configuration.maxConnections {
            Log.info(
                "fewer connections than MAX_CONNECTIONS: the limit of open files does not allow more",
                [
                    "connections": limits.maximumConnections, "asked": configuration.maxConnections,
                    "openFiles": descriptors.limit,
                ])
        }
        let address = try await StartFailure.address(
            host: configuration.host, port: configuration.port, on: loops[0])
        do {
            return try await HTTPServer(service, on: loops, binding: address, configuration: limits)
        } catch let error as SystemError where error.code == EADDRINUSE {
            throw await StartFailure.portTaken(address, on: loops[0])
        } catch let error as SystemError {
            throw StartFailure("Cannot listen at \(address): \(error).")
        }
    }

    /// Starts to listen for other servers, if they have a port of their own.
    private func listenInside(on loops: [EventLoop]) async throws -> HTTPServer? {
        guard let port = configuration.internalPort else { return nil }
        var limits = HTTPServerConfiguration(
            configuration, descriptors, memory, for: .internalConnections)
        limits.requestsPerSecond = 0
        limits.maximumConnectionsPerAddress = 0
        // Other servers cannot reach a Unix socket.
        let host = configuration.isAtSocket ? "0.0.0.0" : configuration.host
        return try await listen(
            host, port, "for other servers (INTERNAL_PORT)", limits, on: loops)
    }

    /// Starts to listen for operators, if they have a port.
    private func listenForOperators(on loops: [EventLoop]) async throws -> HTTPServer? {
        guard let port = configuration.adminPort else { return nil }
        let server = try await listen(
            configuration.adminHost, port, "for operators (ADMIN_PORT)",
            HTTPServerConfiguration(configuration, descriptors, memory, for: .deskConnections), on: loops)
        Log.info("listening for operators", ["address": "\(server.address)"])
        return server
    }

    /// Starts to listen at a port beside the public one. The purpose stands in the error.
    private func listen(
        _ host: String, _ port: UInt16, _ purpose: String, _ limits: HTTPServerConfiguration,
        on loops: [EventLoop]
    ) async throws -> HTTPServer {
        let address = try await StartFailure.address(host: host, port: port, on: loops[0])
        let service = HTTPService(router: Router(), refuse: Answer.refusal, notice: LimitNotice.log)
        do {
            return try await HTTPServer(service, on: loops, binding: address, configuration: limits)
        } catch let error as SystemError {
            throw StartFailure("Cannot listen at \(address) \(purpose): \(error).")
        }
    }

    private func work(
        _ server: HTTPServer, _ loops: [EventLoop], _ background: [EventLoop], _ readiness: Readiness,
        _ publicURL: String
    ) async throws {
        let database = try await OpenedDatabase.open(configuration, on: background[0])
        let result = await Result {
            let clock = try await Self.clock(of: database.configuration, on: background[0])
            let roomsFile = await RoomsFile.open(
                in: configuration.dataDirectory, port: configuration.port, now: clock.now())
            let inside = try await listenInside(on: loops)
            let desk = try await listenForOperators(on: loops)
            let backend = try await Backend(
                configuration, database: database.configuration, publicURL: publicURL,
                label: Self.label(server.address), internalAddress: (inside ?? server).address, loops: loops,
                background: background[0],
                outbound: background[1], readiness: readiness, listener: server, roomsFile: roomsFile,
                clock: clock)
            if let warning = VAPIDKey.warning(configuration) { Log.warning(warning) }
            // Looking the name up may take seconds.
            async let _ = PublicInternalURL.warn(configuration, on: background[0])
            await server.serve(backend.service)
            await inside?.serve(backend.internalService)
            if let service = backend.adminService { await desk?.serve(service) }
            readiness.serve()
            Log.info("ready", ["url": publicURL])
            // The background tasks run until all clients are disconnected; then they are cancelled.
            let background = Task {
                async let database: Void = database.keepRunning()
                await backend.run()
                await database
            }
            await Self.untilCancelled()
            await shielded { await backend.drain([server, inside, desk].compactMap { $0 }) }
            background.cancel()
            await shielded {
                await background.value
                await backend.finish()
            }
        }
        await shielded { await database.close() }
        try result.get()
    }

    /// Returns a clock that shows the database's time.
    private static func clock(
        of database: PostgresConfiguration, on loop: EventLoop
    ) async throws -> ReferenceClock {
        let clock = ReferenceClock()
        let pool = PostgresPool(database, on: loop)
        let result = await Result {
            try await OpenedDatabase.patiently { try await clock.begin(on: pool) }
        }
        await pool.shutdown()
        try result.get()
        return clock
    }

    private static func untilCancelled() async {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        for await _ in stream {}
        continuation.finish()
    }

    /// Returns the label of this server, which is the same after a restart. Two hosts may have the same
    /// label; then their actions are distinguished by process.
    private static func label(_ address: SocketAddress) -> String {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "\(host) \(address)"
    }
}
