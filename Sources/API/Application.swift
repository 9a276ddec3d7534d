package import Contract
package import Database
package import Postgres
package import Reactor
package import Scheduling
package import Settings

/// The configuration, clock, pools and limits that all handlers of the API share.
package struct Application: Sendable {
    package let configuration: ServerConfiguration
    /// When slots open and end: the scheduler goes by the same rules.
    package let rules: ScheduleRules
    package let tickets: Tickets
    package let now: CurrentTime
    /// The time zones that PostgreSQL knows.
    package let timeZones: TimeZones
    /// The pools for requests; if there are fewer pools than loops, loops share them.
    package let pools: [PostgresPool]
    /// The places for requests that may wait for a lock.
    package let locks: LockPlaces
    /// Publishes a change event after the commit: to this process at once, and then to the other servers.
    package let changed: @Sendable (ChangeEvent) -> Void
    /// Publishes a change event to the other servers only, since this process has handled it already, or need
    /// not.
    package var tellOthers: @Sendable (ChangeEvent) -> Void = { _ in }
    package let limits: RequestLimits
    /// The accounts of the tokens that were used lately.
    package let signIns: SignInCache
    /// The longest wait of a request for another one with the same idempotency key.
    package var keyPatience = Duration.seconds(2)

    package init(
        configuration: ServerConfiguration, rules: ScheduleRules, tickets: Tickets,
        now: @escaping CurrentTime, timeZones: TimeZones, pools: [PostgresPool],
        locks: LockPlaces, changed: @escaping @Sendable (ChangeEvent) -> Void,
        tellOthers: @escaping @Sendable (ChangeEvent) -> Void = { _ in }, limits: RequestLimits,
        signIns: SignInCache = SignInCache()
    ) {
        self.configuration = configuration
        self.rules = rules
        self.tickets = tickets
        self.now = now
        self.timeZones = timeZones
        self.pools = pools
        self.locks = locks
        self.signIns = signIns
        self.changed = { changeEvent in
            signIns.apply(changeEvent)
            changed(changeEvent)
        }
        self.tellOthers = tellOthers
        self.limits = limits
    }

    /// Publishes the change events of a transaction if its commit is in doubt.
    package func tell(_ changeEvents: some Sequence<ChangeEvent>, ifInDoubt error: any Error) {
        guard case .commitUnknown? = error as? PostgresError else { return }
        for changeEvent in changeEvents { changed(changeEvent) }
    }

    /// Returns the pool of a loop, or else the pool of another loop, which is slower.
    package func database(_ loop: EventLoop) -> PostgresPool {
        if let own = pools.first(where: { $0.loop === loop }) { return own }
        return pools[Int(ObjectIdentifier(loop).hashValue.magnitude % UInt(pools.count))]
    }
}
