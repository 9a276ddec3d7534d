import Codecs
import Postgres

/// The pools of connections to PostgreSQL by what they are for, for `/metrics`.
struct DatabasePools: Sendable {
    struct Group: Sendable {
        let name: String
        let pools: [PostgresPool]
    }

    let groups: [Group]

    /// Returns the figures of each group, all its pools together.
    func current() async -> [(name: String, figures: PoolFigures)] {
        var all: [(name: String, figures: PoolFigures)] = []
        for group in groups {
            var sum = PoolFigures()
            for pool in group.pools { sum += await pool.figures }
            all.append((group.name, sum))
        }
        return all
    }

    func figures() async -> [Figure] {
        let pools = await current()
        let connections = pools.flatMap { pool, figures in
            [("leased", figures.leased), ("idle", figures.idle), ("opening", figures.opening)].map {
                Figure.Sample(["pool": pool, "state": $0], $1)
            }
        }
        return [
            Figure("database_connections", "Connections to PostgreSQL, by pool and state.", connections),
            Figure(
                "database_connections_maximum", "How many connections to PostgreSQL a pool may have.",
                by: "pool", pools.map { ($0, $1.size) }),
            Figure(
                "database_waiting", "Callers that wait for a connection to PostgreSQL.", by: "pool",
                pools.map { ($0, $1.waiting) }),
            Figure(
                "database_refusals_total", "Callers that got no connection to PostgreSQL.", by: "pool",
                pools.map { ($0, $1.refusals) }),
            Figure(
                "database_wait_seconds", "From asking for a connection to PostgreSQL to having one.",
                by: "pool", pools.map { ($0, $1.waits) }),
        ]
    }
}
