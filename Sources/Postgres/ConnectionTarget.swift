import Reactor

/// One host to connect to. The connection string may list several with commas, as libpq allows.
struct ConnectionTarget: Equatable, Sendable {
    /// A name, an address, or the folder of a Unix socket; nil is libpq's usual folder.
    var host: String?
    var address: String?
    var port: UInt16

    /// Whether the target can be reached without resolving a name.
    var isResolved: Bool {
        guard address == nil, let host else { return true }
        return host.hasPrefix("/") || host.hasPrefix("@")
    }

    static func list(hosts: String, addresses: String, ports: String) throws(PostgresError)
        -> [ConnectionTarget]
    {
        let (hosts, addresses, ports) = (parts(hosts), parts(addresses), parts(ports))
        let count = max(hosts.count, addresses.count, 1)
        guard [0, count].contains(hosts.count), [0, count].contains(addresses.count),
            [0, 1, count].contains(ports.count)
        else { throw .configuration("host, hostaddr and port have different numbers of entries") }
        var targets: [ConnectionTarget] = []
        for index in 0..<count {
            let text = ports.isEmpty ? "" : ports[ports.count == 1 ? 0 : index]
            guard let port = text.isEmpty ? 5432 : UInt16(text), port > 0 else {
                throw .configuration("port \(text) of the database is not a number from 1 to 65535")
            }
            let host = hosts.isEmpty || hosts[index].isEmpty ? nil : hosts[index]
            let address = addresses.isEmpty || addresses[index].isEmpty ? nil : addresses[index]
            targets.append(ConnectionTarget(host: host, address: address, port: port))
        }
        return targets
    }

    /// Returns this target once for each address of its host name.
    func resolved(on loop: EventLoop, timeout: Duration) async throws(PostgresError) -> [ConnectionTarget] {
        guard !isResolved, let host else { return [self] }
        do throws(Resolver.Failure) {
            let found = try await Resolver.resolve(host, port: port, on: loop, timeout: timeout)
            return found.map { ConnectionTarget(host: host, address: $0.host, port: port) }
        } catch {
            throw .unavailable("\(host): \(error)")
        }
    }

    private static func parts(_ list: String) -> [String] {
        list.isEmpty ? [] : list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
