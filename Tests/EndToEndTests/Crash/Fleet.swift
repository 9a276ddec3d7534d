import Contract
import Glibc
import Reactor
import TestKit

/// Servers on one database. A server that ends is started again at once, until the fleet is stopped.
final class Fleet: Sendable {
    private struct State {
        var servers: [ServerProcess?]
        /// The last log lines of each server that has ended.
        var logs: [String] = []
        var starts = 0
        var isStopping = false
    }

    let program: BuiltProgram
    private let settings: [String: String]
    private let state: Lock<State>
    let uptime = Uptime()

    /// Lends servers that are ready to the body, and kills them afterwards, also when it throws.
    static func with<Value>(
        _ count: Int, _ settings: [String: String], of program: BuiltProgram = .server,
        _ body: (Fleet) async throws -> Value
    ) async throws -> Value {
        let fleet = Fleet(count, settings, program)
        let keepers = (0..<count).map { index in Task { await fleet.keep(index) } }
        let result: Result<Value, any Error>
        do {
            for index in 0..<count { try await fleet.waitUntilReady(index) }
            result = .success(try await body(fleet))
        } catch {
            result = .failure(error)
        }
        fleet.stop()
        for keeper in keepers { await keeper.value }
        return try result.get()
    }

    private init(_ count: Int, _ settings: [String: String], _ program: BuiltProgram) {
        self.program = program
        self.settings = settings
        state = Lock(State(servers: Array(repeating: nil, count: count)))
    }

    var count: Int { state.withLock { $0.servers.count } }
    var starts: Int { state.withLock { $0.starts } }

    /// Waits until the server is ready; when it ends before, waits for its successor.
    private func waitUntilReady(_ index: Int) async throws {
        for _ in 0..<20 {
            let server = try await server(index)
            do { return try await server.waitUntilReady() } catch { _ = await server.child.ending() }
            // The fleet may not have noticed the end yet.
            while state.withLock({ $0.servers.contains { $0 === server } }) {
                try await ContinuousClock().sleep(for: .milliseconds(20))
            }
        }
        throw TestError("no server becomes ready:\n\(log)")
    }

    /// Returns the server of that number, or another while there is none; waits for one.
    func server(_ index: Int) async throws -> ServerProcess {
        while true {
            let servers = state.withLock { $0.servers }
            if let found = servers[index] ?? servers.compactMap({ $0 }).first { return found }
            try await ContinuousClock().sleep(for: .milliseconds(20))
        }
    }

    /// Returns the server at which a room meets, as a load balancer would choose it.
    func server(of room: Identifier) async throws -> ServerProcess {
        try await server(Int("\(room)".utf8.reduce(0) { ($0 &* 31 &+ UInt64($1)) % 1_000_003 }) % count)
    }

    /// Kills the server of that number, if it runs.
    func kill(_ index: Int) { state.withLock { $0.servers[index] }?.child.signal(9) }

    func killAll() { for index in 0..<count { kill(index) } }

    /// The log lines of the servers, the last ones last.
    var log: String {
        state.withLock { state in
            (state.logs + state.servers.compactMap { $0.map { Self.tail(of: $0) } })
                .joined(separator: "\n--\n")
        }
    }

    private var turns: ProcessorTurns {
        let servers = state.withLock { $0.servers.compactMap(\.self) }
        return ProcessorTurns(of: [getpid()] + servers.map(\.child.processID))
    }

    /// Notes the times in which the servers have too few turns of the processor, until the task is cancelled:
    /// promises hold only as far as the machine allows.
    func watchTurns() async {
        while !Task.isCancelled {
            let (begin, before) = (Timestamp.now, turns)
            try? await ContinuousClock().sleep(for: .seconds(1))
            if ProcessorTurns(turns, since: before).areFew { uptime.wasStarved(from: begin, to: .now) }
        }
    }

    private func stop() {
        let servers = state.withLock { state in
            state.isStopping = true
            return state.servers
        }
        for server in servers { server?.child.signal(9) }
    }

    private func keep(_ index: Int) async {
        while !state.withLock({ $0.isStopping }) {
            do {
                let server = try await ServerProcess(one: settings, of: program)
                let isStopping = state.withLock { state in
                    state.servers[index] = server
                    state.starts += 1
                    return state.isStopping
                }
                if isStopping { server.child.signal(9) }
                if await server.child.hasPrinted("ready url=", on: .standardError) { uptime.began(server) }
                _ = await server.child.ending()
                uptime.ended(server)
                state.withLock { state in
                    state.servers[index] = nil
                    state.logs = state.logs.suffix(20) + [Self.tail(of: server)]
                }
            } catch {
                // The server may have been killed before it listened.
                state.withLock { $0.logs = $0.logs.suffix(20) + ["\(error)"] }
                try? await ContinuousClock().sleep(for: .milliseconds(100))
            }
        }
    }

    private static func tail(of server: ServerProcess) -> String {
        "The server at \(server.url):\n"
            + server.log.split(separator: "\n").suffix(40).joined(separator: "\n")
    }
}
