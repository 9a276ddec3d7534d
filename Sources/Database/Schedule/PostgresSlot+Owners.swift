import Contract
import Postgres
import Scheduling

extension PostgresSlot {
    /// Selects the servers whose leases last for a while, and the one that makes the rooms, whatever its own
    /// lease: it lives. Nothing is written, since a lock of these rows would keep back the leases.
    private static let readServers = """
        SELECT name, weight, state = 'serving' FROM servers
        WHERE name = $1 OR alive_until > clock_timestamp() + interval '2 seconds' AND state = 'serving'
        """

    /// Returns the choice of an owner for each new room; it chooses none where this process has no id.
    func owners() async throws -> Rendezvous {
        guard let incarnation else { return Rendezvous([]) }
        var servers: [Rendezvous.Server] = []
        var own = Rendezvous.Server(id: incarnation)
        var isServing = true
        for row in try await connection.query(Self.readServers, ["\(incarnation)"]) {
            let (name, weight, serves) = try row.decode(String.self, Int32.self, Bool.self)
            // A server of the previous version has any name, and no lease.
            guard let id = Identifier(name) else { continue }
            if id == incarnation {
                own.weight = weight
                isServing = serves
            } else {
                servers.append(Rendezvous.Server(id: id, weight: weight))
            }
        }
        // A server that is about to stop keeps rooms only if no other server takes them.
        if isServing || servers.isEmpty { servers.append(own) }
        return Rendezvous(servers)
    }

    /// Returns the term of a new room: its owner is the first.
    static func firstTerm(of owner: Identifier?) -> Int32 { owner == nil ? 0 : 1 }
}
