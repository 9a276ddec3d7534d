import Contract
import Glibc
import PostgresTesting
import Reactor
import TestKit

/// Several servers of one database, each with a disk of its own, on a network that can be cut. A server that
/// ends is started again after a while, at the same address.
final class ClusterFleet: Sendable {
    private struct Slot {
        var server: ServerProcess?
        var isReady = false
        var isPaused = false
        var restartsAt = ContinuousClock.now
        var disk = TemporaryFolder()
        /// A copy of the disk, which each next start finds.
        var kept: TemporaryFolder?
    }

    private struct State {
        var slots: [Slot]
        /// The last log lines of servers that have ended.
        var logs: [String] = []
        var starts = 0
        var isStopping = false
        /// The crowds, by the numbers of their strikes.
        var crowds: [Int: Task<Void, Never>] = [:]
        /// The times in which a server that runs reached neither the database nor another server.
        var isolated: [Range<ContinuousClock.Instant>] = []
        var isolatedSince: [ContinuousClock.Instant?]
    }

    let network: ClusterNetwork
    let program: BuiltProgram
    /// The ports for clients.
    let ports: [UInt16]
    private let internalPorts: [UInt16]
    private let settings: [String: String]
    private let state: Lock<State>

    /// Lends servers that are ready to the body, and kills them afterwards, also when it throws.
    static func with<Value>(
        _ count: Int, on cluster: TestCluster, _ settings: [String: String],
        of program: BuiltProgram = .server, _ body: (ClusterFleet) async throws -> Value
    ) async throws -> Value {
        let fleet = try await ClusterFleet(count, cluster, settings, program)
        let keepers = (0..<count).map { index in Task { await fleet.keep(index) } }
        let result: Result<Value, any Error>
        do {
            try await fleet.waitUntilReady()
            result = .success(try await body(fleet))
        } catch {
            result = .failure(error)
        }
        fleet.stop()
        for keeper in keepers { await keeper.value }
        return try result.get()
    }

    private init(
        _ count: Int, _ cluster: TestCluster, _ settings: [String: String], _ program: BuiltProgram
    ) async throws {
        var ports: [UInt16] = []
        for _ in 0..<(2 * count) { ports.append(try FreePort.take()) }
        self.ports = Array(ports.prefix(count))
        internalPorts = Array(ports.suffix(count))
        guard let database = cluster.port else { throw TestError("the cluster has no port") }
        network = try await ClusterNetwork(of: internalPorts, database: database)
        self.settings = settings
        self.program = program
        state = Lock(
            State(
                slots: (0..<count).map { _ in Slot() }, isolatedSince: Array(repeating: nil, count: count)))
    }

    var count: Int { ports.count }
    var starts: Int { state.withLock { $0.starts } }

    /// Returns a server that runs.
    func anyServer() throws -> ServerProcess {
        guard let server = state.withLock({ $0.slots.compactMap(\.server).first }) else {
            throw TestError("no server runs")
        }
        return server
    }

    /// The log lines of the servers, the last ones last.
    var log: String {
        state.withLock { state in
            (state.logs + state.slots.compactMap { $0.server.map { Self.tail(of: $0) } })
                .joined(separator: "\n--\n")
        }
    }

    // Strikes.

    /// Kills a server, which is started again after the pause: with an empty disk if `losingDisk`. Meanwhile
    /// connections to it are refused, or reset, as by a host or by a proxy in front of it. Returns false if
    /// it did not run.
    func kill(_ index: Int, for pause: Duration, losingDisk: Bool, refusing: Bool) async -> Bool {
        let server = state.withLock { state in
            guard let server = state.slots[index].server else { return ServerProcess?.none }
            state.slots[index].restartsAt = ContinuousClock.now + pause
            if losingDisk { state.slots[index].disk = TemporaryFolder() }
            state.slots[index].isPaused = false
            return server
        }
        guard let server else { return false }
        if refusing { await network.shut(index, true) }
        server.child.signal(SIGKILL)
        return true
    }

    /// Tells a server to stop in order; it is started again at once. Returns false if it did not run.
    func terminate(_ index: Int) -> Bool {
        guard let server = state.withLock({ $0.slots[index].server }) else { return false }
        server.child.signal(SIGTERM)
        return true
    }

    /// Copies all disks. From now on each server that starts finds the copy: a mistake of the machine.
    func keepDisks() async throws {
        for index in 0..<count {
            let copy = TemporaryFolder()
            try await Self.copy(state.withLock { $0.slots[index].disk }, to: copy)
            state.withLock { $0.slots[index].kept = copy }
        }
    }

    private static func copy(_ disk: TemporaryFolder, to other: TemporaryFolder) async throws {
        _ = try await Finished.run("cp", ["-a", "--sparse=always", "\(disk.path)/.", other.path])
    }

    /// Has a server stand still. Returns false if it did not run.
    func pause(_ index: Int) -> Bool {
        state.withLock { state in
            guard let server = state.slots[index].server else { return false }
            state.slots[index].isPaused = true
            server.child.signal(SIGSTOP)
            return true
        }
    }

    func wake(_ index: Int) {
        state.withLock { state in
            state.slots[index].isPaused = false
            state.slots[index].server?.child.signal(SIGCONT)
        }
    }

    /// Sends a crowd to a server, until `disperse`. Returns false if the server did not run.
    func send(_ crowd: CutCrowd, to index: Int, as strike: Int) -> Bool {
        guard let server = state.withLock({ $0.slots[index].server }) else { return false }
        let day = 86_400 as Int64
        let today = Timestamp(seconds: Timestamp.now.seconds / day * day)
        let task = Task { await crowd.work(at: server, joining: today) }
        state.withLock { $0.crowds[strike] = task }
        return true
    }

    /// Ends the crowd of a strike, if it has sent one, and waits until it is gone.
    func disperse(_ strike: Int) async {
        let crowd = state.withLock { $0.crowds.removeValue(forKey: strike) }
        crowd?.cancel()
        await crowd?.value
    }

    /// Waits until every server is ready; throws where that takes too long.
    func waitUntilReady() async throws {
        let end = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < end {
            if state.withLock({ $0.slots.allSatisfy(\.isReady) }) { return }
            try await ContinuousClock().sleep(for: .milliseconds(20))
        }
        throw TestError("not every server becomes ready:\n\(log)")
    }

    /// The times for which the servers, and this process with its proxies and people, ran or waited for a
    /// core.
    var turns: ProcessorTurns {
        let servers = state.withLock { $0.slots.compactMap(\.server) }
        return ProcessorTurns(of: [getpid()] + servers.map(\.child.processID))
    }

    // Isolation.

    /// Notes which servers reach neither the database nor another server; to be called after each change.
    func lookAround() {
        state.withLock { state in
            let slots = state.slots
            for index in slots.indices {
                let isAlone =
                    slots[index].server != nil && !network.passes(.database(from: index))
                    && slots.indices.allSatisfy { other in
                        other == index || !slots[other].isReady || slots[other].isPaused
                            || !network.passes(.peer(from: index, to: other))
                    }
                let now = ContinuousClock.now
                if isAlone && state.isolatedSince[index] == nil { state.isolatedSince[index] = now }
                if !isAlone, let since = state.isolatedSince[index] {
                    state.isolated.append(since..<now)
                    state.isolatedSince[index] = nil
                }
            }
        }
    }

    /// Whether a server was isolated at any time between the two instants.
    func wasIsolated(from begin: ContinuousClock.Instant, to end: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            state.isolatedSince.contains { $0.map { $0 <= end } ?? false }
                || state.isolated.contains { $0.lowerBound <= end && begin <= $0.upperBound }
        }
    }

    // The servers.

    private func stop() {
        let servers = state.withLock { state in
            state.isStopping = true
            return state.slots.compactMap(\.server)
        }
        for server in servers { server.child.signal(SIGKILL) }
        for crowd in state.withLock({ $0.crowds }).values { crowd.cancel() }
    }

    private func keep(_ index: Int) async {
        while !state.withLock({ $0.isStopping }) {
            let slot = state.withLock { $0.slots[index] }
            guard slot.restartsAt <= .now else {
                try? await ContinuousClock().sleep(for: .milliseconds(20))
                continue
            }
            do {
                if let kept = slot.kept { try await Self.copy(kept, to: slot.disk) }
                try await run(index, on: slot.disk)
            } catch {
                // The server may have been killed before it listened.
                state.withLock { $0.logs = $0.logs.suffix(20) + ["\(error)"] }
                try? await ContinuousClock().sleep(for: .milliseconds(100))
            }
        }
    }

    /// Runs a server from its start to its end.
    private func run(_ index: Int, on disk: TemporaryFolder) async throws {
        let own = [
            "PORT": "\(ports[index])", "INTERNAL_PORT": "\(internalPorts[index])", "DATA_DIR": disk.path,
        ]
        let server = try await ServerProcess(
            one: settings.merging(own) { $1 }.merging(network.settings(of: index)) { $1 }, of: program)
        network.began(server.child.processID, of: index)
        let isStopping = state.withLock { state in
            state.slots[index].server = server
            state.starts += 1
            return state.isStopping
        }
        if isStopping { server.child.signal(SIGKILL) }
        await network.shut(index, false)
        if await server.child.hasPrinted("ready url=", on: .standardError) {
            state.withLock { $0.slots[index].isReady = true }
            lookAround()
        }
        _ = await server.child.ending()
        network.began(nil, of: index)
        state.withLock { state in
            state.slots[index].server = nil
            state.slots[index].isReady = false
            state.logs = state.logs.suffix(20) + [Self.tail(of: server)]
        }
        lookAround()
    }

    private static func tail(of server: ServerProcess) -> String {
        "The server at \(server.url):\n"
            + server.log.split(separator: "\n").suffix(60).joined(separator: "\n")
    }
}
