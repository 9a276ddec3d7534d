import Postgres

/// How a server shares out its connections to PostgreSQL, of which it opens `total` at most.
struct ConnectionPlan: Equatable, Sendable {
    /// Fewer do not work.
    static let minimum = 10
    /// For one loop; more would only wait for the same cores.
    private static let mostOfOneLoop = 4

    /// One that listens and one that sends.
    let hints = 2
    /// Registrations share transactions.
    let registrations = 1
    /// For requests that may wait for a lock.
    let locks: Int
    let deliveries: Int
    /// For rooms, streams and figures.
    let background: Int
    /// For the scheduler: one for each slot that is worked on.
    let matching: Int
    /// For requests: pools, and connections of each. Where there are more loops than pools, loops share.
    let pools: Int
    let poolSize: Int

    /// Where there are more than the least, half of what is more goes to the requests.
    init(total: Int, workers: Int) {
        let spare = max(0, total - Self.minimum)
        locks = 1 + min(3, spare / 8)
        deliveries = 1 + min(3, spare / 8)
        background = 2 + min(2, spare / 8)
        let least = WorkUnderWay.leastConnections
        matching = least + min(WorkUnderWay.connections - least, spare / 6)
        let rest = max(
            1, max(total, Self.minimum) - hints - registrations - locks - deliveries - background - matching)
        pools = min(max(workers, 1), rest)
        poolSize = min(Self.mostOfOneLoop, rest / pools)
    }

    /// What the server opens at most.
    var sum: Int {
        hints + registrations + locks + deliveries + background + matching + pools * poolSize
    }
}

extension PostgresConfiguration {
    /// The same for a pool of that size.
    func sized(_ size: Int) -> PostgresConfiguration {
        var configuration = self
        configuration.poolSize = size
        return configuration
    }

    /// The same for statements that wait for a lock for no longer than that.
    func waitingForLocks(_ limit: Duration) -> PostgresConfiguration {
        var configuration = self
        configuration.lockTimeout = limit
        return configuration
    }

    /// The same for statements that see a few rows at one time and a million at another: a plan that was made for all of
    /// them is wrong for most.
    func planningEachTime() -> PostgresConfiguration {
        var configuration = self
        configuration.sessionSettings.append((name: "plan_cache_mode", value: "force_custom_plan"))
        return configuration
    }
}
