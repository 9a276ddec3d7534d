import Glibc
import Reactor

/// The network of servers that share a database: a proxy on each way, from each server to each other one and
/// to PostgreSQL.
///
/// Servers reach each other at one address each. The proxy there finds out whose connection it is, and passes
/// it on to the proxy of that way.
final class ClusterNetwork: Sendable {
    enum Way: Hashable, Sendable {
        case peer(from: Int, to: Int)
        case database(from: Int)
    }

    enum Fault: Equatable, Sendable {
        /// Connections are reset, and new ones as soon as they come.
        case cut
        /// Bytes pass in these directions only, and the others wait. No end is seen.
        case passing(TCPProxy.Directions)
        case delayed(Duration)
    }

    private struct State {
        var processes: [pid_t?]
        /// The faults of each way, each with the number of the strike that made it.
        var faults: [Way: [(strike: Int, fault: Fault)]] = [:]
    }

    let servers: Int
    /// The proxies at the addresses of the servers.
    private let doors: [TCPProxy]
    private let proxies: [Way: TCPProxy]
    private let state: Lock<State>

    /// Makes the network of the servers whose internal ports these are.
    init(of ports: [UInt16], database: UInt16) async throws {
        servers = ports.count
        let state = Lock(State(processes: Array(repeating: nil, count: ports.count)))
        self.state = state
        var proxies: [Way: TCPProxy] = [:]
        var doors: [TCPProxy] = []
        for (index, port) in ports.enumerated() {
            proxies[.database(from: index)] = try await TCPProxy(to: [database])
            var ways: [Int: UInt16] = [:]
            for other in ports.indices where other != index {
                let proxy = try await TCPProxy(to: [port])
                proxies[.peer(from: other, to: index)] = proxy
                ways[other] = proxy.port
            }
            // A server asks itself who it is, at its own address.
            ways[index] = port
            let address = try FreePort.take()
            let targets = ways
            doors.append(
                try await TCPProxy(at: address) { client in
                    let processes = state.withLock { $0.processes }
                    guard
                        let owner = ConnectionOwner.find(
                            among: processes.compactMap(\.self), from: client, to: address)
                    else { return nil }
                    return processes.firstIndex(of: owner).flatMap { targets[$0] }
                })
        }
        self.doors = doors
        self.proxies = proxies
    }

    /// Returns the settings by which a server uses this network.
    func settings(of server: Int) -> [String: String] {
        let database = proxies[.database(from: server)]?.port ?? 0
        return [
            "INTERNAL_URL": "http://127.0.0.1:\(doors[server].port)",
            "DATABASE_URL": "postgresql://postgres@127.0.0.1:\(database)/postgres",
        ]
    }

    /// Says which process a server is now; nil while it is none.
    func began(_ process: pid_t?, of server: Int) { state.withLock { $0.processes[server] = process } }

    /// Has connections to a server refused, as where nothing listens.
    func shut(_ server: Int, _ isShut: Bool) async { await doors[server].shut(isShut) }

    /// Resets the connections of a way once.
    func reset(_ way: Way) async { await proxies[way]?.reset() }

    func swallow(_ directions: TCPProxy.Directions, on way: Way) async {
        await proxies[way]?.swallow(directions)
    }

    /// Adds a fault to a way, which lasts until that strike ends.
    func begin(_ fault: Fault, on way: Way, by strike: Int) async {
        state.withLock { $0.faults[way, default: []].append((strike, fault)) }
        await apply(way)
    }

    /// Takes away the faults of a strike.
    func end(_ strike: Int) async {
        let ways = state.withLock { state in
            let ways = state.faults.filter { $0.value.contains { $0.strike == strike } }.map(\.key)
            for way in ways { state.faults[way]?.removeAll { $0.strike == strike } }
            return ways
        }
        for way in ways { await apply(way) }
    }

    /// Whether bytes pass in both directions, be it late.
    func passes(_ way: Way) -> Bool {
        state.withLock { state in
            state.faults[way, default: []].allSatisfy { entry in
                if case .delayed = entry.fault { true } else { false }
            }
        }
    }

    private func apply(_ way: Way) async {
        guard let proxy = proxies[way] else { return }
        let faults = state.withLock { $0.faults[way, default: []].map(\.fault) }
        var directions = TCPProxy.Directions.both
        var delay = Duration.zero
        for fault in faults {
            switch fault {
            case .cut: break
            case .passing(let some): directions.formIntersection(some)
            case .delayed(let time): delay = max(delay, time)
            }
        }
        await proxy.delay(by: delay)
        if faults.contains(.cut) { return await proxy.cut() }
        await proxy.heal()
        await proxy.pass(directions)
    }
}
