import Client
import Contract
import Glibc
import Reactor

/// Servers behind a balancer that are ended and started again, one after the other, while people cheer.
struct DeployRun: Sendable {
    private static let tick = Duration.milliseconds(5)
    private static let patience = Duration.seconds(60)
    /// The seconds for all people to register before the rooms open.
    private static let registering = 20

    let plan: DeployPlan
    let testbed: Testbed
    private let clock = ContinuousClock()

    init(_ plan: DeployPlan, on testbed: Testbed) {
        self.plan = plan
        self.testbed = testbed
    }

    func run() async throws -> DeployReport {
        try await testbed.startPostgres()
        let database = try await testbed.makeDatabase("deploy")
        var slots = MeasuredSlots(hourAfter: Self.registering)
        slots.open(after: Self.registering)
        var ports: [UInt16] = []
        for _ in 0..<plan.servers { ports.append(try Loopback.freePort()) }
        let balancer = try await Balancer(to: ports)
        var servers: [MeasuredServer] = []
        for index in ports.indices {
            servers.append(try await start(index, at: ports[index], behind: balancer, database, slots))
        }
        let group = try EventLoopGroup(count: 1, name: "rooms")
        defer { group.shutdown() }
        let maker = RoomMaker(
            address: try Loopback.address(port: ports[0]), loop: group.loops[0], slot: slots.timestamps[0])
        let paths = try await maker.makeRooms(plan.rooms, size: 2)
        let connections = try paths.map { path throws(ClientError) in
            try RoomConnection(.ticket(url: "ws://127.0.0.1:\(balancer.port)\(path)"))
        }
        let ledger = Lock(DeployLedger(members: connections.count))
        return try await withThrowingTaskGroup(of: Void.self) { listeners in
            for (member, connection) in connections.enumerated() {
                // The reading begins before the connection starts, so that nothing is missed.
                let events = connection.events
                listeners.addTask {
                    for await event in events {
                        let now = Monotonic.nanoseconds()
                        ledger.withLock { $0.note(event, of: member, at: now) }
                    }
                }
            }
            do {
                let report = try await measure(connections, ledger) { report in
                    for index in ports.indices {
                        let begin = Monotonic.nanoseconds()
                        await servers[index].stop(SIGTERM)
                        let end = Monotonic.nanoseconds()
                        servers[index] = try await start(
                            index, at: ports[index], behind: balancer, database, slots)
                        report.ends.append(end - begin)
                        report.starts.append(Monotonic.nanoseconds() - end)
                        Output.note("server \(index + 1) of \(ports.count) is back")
                        try await clock.sleep(for: .seconds(plan.pauseSeconds))
                    }
                }
                for connection in connections { await connection.stop() }
                return report
            } catch {
                for connection in connections { await connection.stop() }
                throw error
            }
        }
    }

    private func start(
        _ index: Int, at port: UInt16, behind balancer: Balancer, _ database: BenchDatabase,
        _ slots: MeasuredSlots
    ) async throws -> MeasuredServer {
        try await MeasuredServer.start(
            on: testbed, database, slots,
            MeasuredServer.Settings(
                port: port,
                environment: [
                    "DATA_DIR": "\(testbed.folder)/server-\(index)", "WORKERS": "1",
                    "PUBLIC_URL": "http://127.0.0.1:\(balancer.port)",
                ]),
            name: "server-\(index)")
    }

    private func measure(
        _ connections: [RoomConnection], _ ledger: Lock<DeployLedger>,
        deploying: (inout DeployReport) async throws -> Void
    ) async throws -> DeployReport {
        var report = DeployReport(plan: plan)
        for connection in connections { await connection.start() }
        guard try await becomesTrue({ ledger.withLock { $0.presentCount } == connections.count }) else {
            throw BenchError.failed("Not all members entered their rooms.")
        }
        let sending = Task { await send(to: connections, ledger) }
        defer { sending.cancel() }
        // The first second warms up.
        try await clock.sleep(for: .seconds(1))
        let begin = Monotonic.nanoseconds()
        try await clock.sleep(for: .seconds(plan.quietSeconds))
        let first = Monotonic.nanoseconds()
        try await deploying(&report)
        let last = Monotonic.nanoseconds()
        try await clock.sleep(for: .seconds(plan.quietSeconds))
        sending.cancel()
        await sending.value
        _ = try await becomesTrue {
            ledger.withLock { $0.isSettled && $0.presentCount == connections.count }
        }
        // Duplicates may arrive for a moment longer.
        try await clock.sleep(for: .milliseconds(500))
        ledger.withLock { ledger in
            report.before = ledger.times(of: begin..<first)
            report.during = ledger.times(of: first..<last)
            report.after = ledger.times(of: last..<UInt64.max)
            report.stock = ledger.stock()
            report.resumed = ledger.resumed
            report.begunAnew = ledger.begunAnew
            report.surprises = ledger.surprises
            report.returned = ledger.presentCount
        }
        return report
    }

    /// Has the members cheer in turn, at the rate of the plan, until the task is cancelled.
    private func send(to connections: [RoomConnection], _ ledger: Lock<DeployLedger>) async {
        let begin = clock.now
        var sent = 0
        while !Task.isCancelled {
            let elapsed = (clock.now - begin) / Duration.seconds(1)
            let due = Int(elapsed * Double(plan.rate))
            while sent < due {
                // The senders of a room take turns too.
                let member = sent % connections.count
                let ale = OutgoingMessage.ale()
                ledger.withLock { $0.send(ale.id, from: member, at: Monotonic.nanoseconds()) }
                _ = try? await connections[member].send(ale, by: .queuedOnly)
                sent += 1
            }
            try? await clock.sleep(for: Self.tick)
        }
    }

    private func becomesTrue(_ condition: () -> Bool) async throws -> Bool {
        let deadline = clock.now + Self.patience
        while !condition() {
            guard clock.now < deadline else { return false }
            try await clock.sleep(for: .milliseconds(20))
        }
        return true
    }
}
