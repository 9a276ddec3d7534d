package import Contract
package import Database
package import Matching
package import Postgres
package import Reactor
package import Scheduling
package import Settings

/// The configuration, clock, pools and limits that all handlers of the API share.
package struct Application: Sendable {
    package let configuration: ServerConfiguration
    package let grid: SlotGrid
    package let roomSize: RoomSize
    package let tickets: Tickets
    /// The wall clock.
    package let now: @Sendable () -> Timestamp
    /// IANA names, as PostgreSQL knows them.
    package let timeZones: TimeZones
    /// For requests; where there are fewer than loops, loops share.
    package let pools: [PostgresPool]
    /// For requests that may wait for a lock.
    package let locks: LockPlaces
    /// Told of what has changed, after the commit: this process at once, and then the other servers.
    package let changed: @Sendable (ChangeEvent) -> Void
    /// Told of what this process has dealt with already, or does not have to: for the other servers alone.
    package var tellOthers: @Sendable (ChangeEvent) -> Void = { _ in }
    package let limits: RequestLimits

    package init(
        configuration: ServerConfiguration, grid: SlotGrid, roomSize: RoomSize, tickets: Tickets,
        now: @escaping @Sendable () -> Timestamp, timeZones: TimeZones, pools: [PostgresPool],
        locks: LockPlaces, changed: @escaping @Sendable (ChangeEvent) -> Void,
        tellOthers: @escaping @Sendable (ChangeEvent) -> Void = { _ in }, limits: RequestLimits
    ) {
        self.configuration = configuration
        self.grid = grid
        self.roomSize = roomSize
        self.tickets = tickets
        self.now = now
        self.timeZones = timeZones
        self.pools = pools
        self.locks = locks
        self.changed = changed
        self.tellOthers = tellOthers
        self.limits = limits
    }

    /// Tells everybody to look for what a transaction has changed, where nobody knows whether its commit came
    /// about.
    package func tell(_ changeEvents: some Sequence<ChangeEvent>, ifInDoubt error: any Error) {
        guard case .commitUnknown? = error as? PostgresError else { return }
        for changeEvent in changeEvents { changed(changeEvent) }
    }

    /// The pool of a loop, or another loop's, which does as well, more slowly.
    package func database(_ loop: EventLoop) -> PostgresPool {
        if let own = pools.first(where: { $0.loop === loop }) { return own }
        return pools[Int(ObjectIdentifier(loop).hashValue.magnitude % UInt(pools.count))]
    }

    package func opensAt(_ startsAt: Timestamp) -> Timestamp {
        startsAt.adding(.seconds(-configuration.leadSeconds))
    }
}
