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
        if let url = configuration.explicitInternalURL { return url }
        var host = configuration.host
        if address?.isWildcard ?? false {
            let own = try await OpenedDatabase.patiently { try await ServerDirectory.ownAddress(from: pool) }
            host = own ?? "127.0.0.1"
        }
        return "http://\(WebAddress.authority(host: host, port: address?.port ?? configuration.port))"
    }
}
