import Postgres

/// The pools of connections to PostgreSQL by what they are for, for `/metrics`.
struct DatabasePools: Sendable {
    struct Group: Sendable {
        let name: String
        let pools: [PostgresPool]
    }

    let groups: [Group]

    /// Returns the figures of each group, all its pools together.
    func figures() async -> [(name: String, figures: PoolFigures)] {
        var all: [(name: String, figures: PoolFigures)] = []
        for group in groups {
            var sum = PoolFigures()
            for pool in group.pools { sum += await pool.figures }
            all.append((group.name, sum))
        }
        return all
    }

    func add(to page: inout MetricsPage) async {
        let figures = await figures()
        page.head("database_connections", "Connections to PostgreSQL, by pool and state.", "gauge")
        for (pool, figures) in figures {
            for (state, count) in [
                ("leased", figures.leased), ("idle", figures.idle), ("opening", figures.opening),
            ] {
                page.sample(
                    "database_connections", "{pool=\"\(pool)\",state=\"\(state)\"}", Double(count))
            }
        }
        Self.add(
            "database_connections_maximum", "How many connections to PostgreSQL a pool may have.", "gauge",
            figures, to: &page
        ) { $0.size }
        Self.add(
            "database_waiting", "Callers that wait for a connection to PostgreSQL.", "gauge", figures,
            to: &page
        ) { $0.waiting }
        Self.add(
            "database_refusals_total", "Callers that got no connection to PostgreSQL.", "counter", figures,
            to: &page
        ) { $0.refusals }
        let name = "database_wait_seconds"
        page.head(name, "From asking for a connection to PostgreSQL to having one.", "histogram")
        for (pool, figures) in figures { page.samples(name, label: "pool=\"\(pool)\"", of: figures.waits) }
    }

    private static func add(
        _ name: String, _ help: String, _ type: String, _ figures: [(name: String, figures: PoolFigures)],
        to page: inout MetricsPage, _ value: (PoolFigures) -> Int
    ) {
        page.head(name, help, type)
        for (pool, figures) in figures {
            page.sample(name, "{pool=\"\(pool)\"}", Double(value(figures)))
        }
    }
}
