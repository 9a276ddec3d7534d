import Contract
import Database
import Postgres
import Reactor
import Settings

/// The URL at which other servers reach this one.
enum InternalAddress {
    /// Returns the operator's URL, or else that of the bound address. A server that listens everywhere is
    /// reached at the address from which it reaches the database, or at loopback if it shares a machine with
    /// it.
    static func find(
        _ configuration: ServerConfiguration, boundTo address: SocketAddress?, from pool: PostgresPool
    ) async throws -> String {
        if let path = address?.path { return unreachable(path) }
        if let url = configuration.explicitInternalURL { return url }
        var host = configuration.host
        if address?.isWildcard ?? false {
            let own = try await OpenedDatabase.patiently { try await ServerDirectory.ownAddress(from: pool) }
            host = own ?? "127.0.0.1"
        }
        return "http://\(WebAddress.authority(host: host, port: address?.port ?? configuration.port))"
    }

    /// Returns the address of a server that no other one can reach, since it has only a Unix socket. After a
    /// restart it is the same.
    private static func unreachable(_ path: String) -> String {
        "unix:\(HostID.current().map { "\($0)" } ?? "")\(path)"
    }

    /// Throws if one of several servers cannot be reached by the others.
    static func check(_ own: String, _ others: [ServerEntry]) throws(StartFailure) {
        // The process before this one may have been killed a moment ago. After a reboot the database may hold
        // its lock for hours, and the address begins with another machine's id.
        let socket = own.firstIndex(of: "/").map { own[$0...] } ?? ""
        let others = others.filter { other in
            if other.address == own { return false }
            let isPast = (other.leaseLeft ?? .zero) <= .zero
            return !(isPast && own.hasPrefix("unix:") && other.address?.hasSuffix(socket) ?? false)
        }
        func isUnreachable(_ address: String?) -> Bool { address?.hasPrefix("unix:") ?? false }
        if isUnreachable(own), let other = others.first {
            throw StartFailure(
                "There is another server, \(other.shownName), which cannot reach this one at a Unix socket. "
                    + "Set INTERNAL_PORT, a port for other servers.")
        }
        if let other = others.first(where: { isUnreachable($0.address) }) {
            throw StartFailure(
                "The server \(other.shownName) listens at a Unix socket, where this one cannot reach it. Set "
                    + "INTERNAL_PORT there and start it again.")
        }
    }
}
