package import Contract
package import Database
import Reactor

/// The other servers, as they were last read. Any thread may read it.
package final class PeerList: Sendable {
    private let entries = Lock<[Identifier: ServerEntry]>([:])

    package init() {}

    /// Returns the server of this incarnation; nil if it had no row.
    package func find(_ incarnation: Identifier) -> ServerEntry? {
        entries.withLock { $0[incarnation] }
    }

    /// The servers with a lease, in the order of their incarnations.
    package var all: [(incarnation: Identifier, entry: ServerEntry)] {
        entries.withLock { entries in
            entries.sorted { $0.key < $1.key }.map { (incarnation: $0.key, entry: $0.value) }
        }
    }

    /// The servers that take rooms, and can be reached, by that renewal.
    package var serving: [(incarnation: Identifier, entry: ServerEntry)] {
        all.filter { $0.entry.state == .serving && $0.entry.isAlive && $0.entry.address != nil }
    }

    /// Replaces the servers. Those without a lease are of the previous version, and are left out.
    func set(_ servers: [ServerEntry]) {
        var known: [Identifier: ServerEntry] = [:]
        for server in servers {
            if let incarnation = server.incarnation, server.leaseLeft != nil { known[incarnation] = server }
        }
        entries.withLock { $0 = known }
    }
}
