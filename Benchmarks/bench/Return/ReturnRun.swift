import Client
import Contract
import Glibc
import Reactor

/// Many connections of the client library that lose their server, and return to the next one.
struct ReturnRun: Sendable {
    private static let look = Duration.milliseconds(10)
    /// The time without any delivery after which missing ales are lost.
    private static let silence = Duration.seconds(3)

    let plan: ReturnPlan
    private let connections: [RoomConnection]
    private let ledger: Lock<ReturnLedger>
    private let clock = ContinuousClock()

    init(_ plan: ReturnPlan) throws(ClientError) {
        self.plan = plan
        var connections: [RoomConnection] = []
        for path in plan.paths {
            connections.append(
                try RoomConnection(.ticket(url: "ws://127.0.0.1:\(plan.port)\(path)")))
        }
        self.connections = connections
        ledger = Lock(ReturnLedger(clients: connections.count, roomSize: plan.roomSize))
    }

    /// Runs the plan. The new server keeps running afterwards.
    func run() async throws -> ReturnReport {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, connection) in connections.enumerated() {
                // The reading begins before the connection starts, so that nothing is missed.
                let events = connection.events
                group.addTask {
                    for await event in events {
                        let now = Monotonic.nanoseconds()
                        self.ledger.withLock { $0.note(event, of: number, at: now) }
                    }
                }
            }
            do {
                let report = try await measure()
                // Each event stream ends with its connection.
                for connection in connections { await connection.stop() }
                return report
            } catch {
                for connection in connections { await connection.stop() }
                throw error
            }
        }
    }

    private func measure() async throws -> ReturnReport {
        var report = ReturnReport(plan: plan)
        for connection in connections { await connection.start() }
        guard try await becomesTrue({ $0.presentCount == plan.paths.count }) else {
            let count = ledger.withLock { $0.presentCount }
            throw BenchError.failed("Only \(count) of \(plan.paths.count) clients got into their rooms.")
        }
        await cheer()
        report.before = try await takeStock()

        let begin = Monotonic.nanoseconds()
        let server = try await restart()
        report.newProcess = server.processID
        let ready = try await Readiness.wait(for: server, port: plan.port, patience: plan.patience)
        report.away = ready - begin
        _ = try await becomesTrue { $0.presentCount + $0.closedCount == plan.paths.count }
        ledger.withLock { ledger in
            report.returns = ledger.returns(since: ready)
            report.returned = ledger.presentCount
            report.resumed = ledger.resumedCount
            report.closed = ledger.closedCount
        }
        report.during = try await takeStock()

        await cheer()
        report.after = try await takeStock()
        report.missed = ledger.withLock { $0.missed }
        for connection in connections { report.suppressed += await connection.counters.duplicates }
        return report
    }

    /// Ends the server, has all members cheer while there is none, and starts the next one.
    private func restart() async throws -> ChildProcess {
        guard kill(plan.serverProcess, plan.signal) == 0 else {
            throw BenchError.failed("Process \(plan.serverProcess) cannot be ended: is it the server's?")
        }
        guard try await becomesTrue({ $0.presentCount == 0 }), try await isGone() else {
            throw BenchError.failed("The server goes on after the signal.")
        }
        await cheer()
        var command = ChildProcess.Command("/bin/sh", ["-c", plan.start])
        command.standardOutput = .discard
        command.standardError = .discard
        command.ownSession = true
        return try ChildProcess(command)
    }

    private func isGone() async throws -> Bool {
        let deadline = clock.now + plan.patience
        while clock.now < deadline {
            // proc(5): a process that its parent has not reaped yet is a zombie.
            let status = try? TextFile.read("/proc/\(plan.serverProcess)/stat")
            guard let status, let end = status.lastIndex(of: ")") else { return true }
            if status[end...].dropFirst(2).first == "Z" { return true }
            try await clock.sleep(for: Self.look)
        }
        return false
    }

    private func cheer() async {
        for (number, connection) in connections.enumerated() {
            // An ale is recorded before it is sent, so that none is heard that was not recorded.
            ledger.withLock { $0.cheered(number) }
            _ = await connection.cheer()
        }
    }

    /// Waits until all ales were heard, for as long as some arrive.
    private func takeStock() async throws -> ReturnLedger.Stock {
        var (heard, end) = (0, clock.now + Self.silence)
        while clock.now < end {
            let (count, expected) = ledger.withLock { ($0.heardCount, $0.expectedCount) }
            if count >= expected { break }
            if count > heard { (heard, end) = (count, clock.now + Self.silence) }
            try await clock.sleep(for: Self.look)
        }
        // Duplicates may arrive for a moment longer.
        try await clock.sleep(for: .milliseconds(200))
        return ledger.withLock { $0.takeStock() }
    }

    private func becomesTrue(_ condition: (borrowing ReturnLedger) -> Bool) async throws -> Bool {
        let deadline = clock.now + plan.patience
        while !ledger.withLock({ condition($0) }) {
            guard clock.now < deadline else { return false }
            try await clock.sleep(for: Self.look)
        }
        return true
    }
}
