package import Postgres
import Scheduling
import Settings

/// The shares of a server's connections to PostgreSQL, of which it opens `total` at most.
package struct ConnectionPlan: Equatable, Sendable {
    static let minimum = ServerConfiguration.leastDatabaseConnections
    /// The most connections of one loop; more would only wait for the same cores.
    private static let mostOfOneLoop = 4

    /// The connections for change events: one that listens and one that sends.
    package let changeEvents = 2
    /// The connections for registrations: of the transactions that they share, and of those that are stored
    /// alone.
    package let registrations: Int
    /// The connections for requests that may wait for a lock.
    package let locks: Int
    package let deliveries: Int
    /// The connections that renew the lease of this server, and look at the leases of others.
    package let lease: Int
    /// The connections for rooms, streams and figures.
    package let background: Int
    /// The connections for the scheduler: one for each slot that is worked on.
    package let matching: Int
    /// The pools for requests, each of `poolSize` connections. If there are more loops than pools, loops
    /// share them.
    package let pools: Int
    package let poolSize: Int

    /// Creates a plan. Of the connections beyond the minimum, half go to the requests.
    package init(total: Int, workers: Int) {
        let spare = max(0, total - Self.minimum)
        registrations = 1 + min(2, spare / 8)
        locks = 1 + min(3, spare / 8)
        deliveries = 1 + min(3, spare / 8)
        lease = 1 + min(1, spare / 2)
        background = 1 + min(3, (spare + 7) / 8)
        let least = WorkUnderWay.leastConnections
        matching = least + min(WorkUnderWay.connections - least, spare / 6)
        let rest = max(
            1,
            max(total, Self.minimum) - changeEvents - registrations - locks - deliveries - lease
                - background - matching)
        pools = min(max(workers, 1), rest)
        poolSize = min(Self.mostOfOneLoop, rest / pools)
    }

    /// The most connections that the server opens.
    package var sum: Int {
        changeEvents + registrations + locks + deliveries + lease + background + matching
            + pools * poolSize
    }
}

extension PostgresConfiguration {
    /// Returns the configuration for a pool of that size.
    package func sized(_ size: Int) -> PostgresConfiguration {
        var configuration = self
        configuration.poolSize = size
        return configuration
    }

    /// Returns the configuration for statements that wait for a lock for `limit` at most.
    package func waitingForLocks(_ limit: Duration) -> PostgresConfiguration {
        var configuration = self
        configuration.lockTimeout = limit
        return configuration
    }

    /// Returns the configuration for statements that see a few rows at one time and a million at another: a
    /// plan that was made for all of them is wrong for most. No statement is kept prepared, so each is
    /// planned for its values. The setting `plan_cache_mode` would do that too, but also plan the check of
    /// each foreign key again, for each row.
    package func planningEachTime() -> PostgresConfiguration {
        var configuration = self
        configuration.preparedStatements = []
        return configuration
    }

    /// Returns the configuration for lookups by keys, of which these statements alone are prepared. With a
    /// few keys it takes longer to parse and plan them than to run them, and PostgreSQL plans them no more
    /// after their fifth use where no plan for the values looks cheaper.
    ///
    /// A plan that reads a whole small table would be kept when the table has grown, so sequential scans are
    /// off in these sessions.
    package func preparing(only statements: Set<String>) -> PostgresConfiguration {
        var configuration = self
        configuration.preparedStatements = statements
        configuration.sessionSettings.append((name: "enable_seqscan", value: "off"))
        return configuration
    }
}
