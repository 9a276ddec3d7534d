import Contract
import Matching
import Postgres
import Reactor

/// What every part of the business has at hand.
struct Application: Sendable {
    let configuration: ServerConfiguration
    let grid: SlotGrid
    let roomSize: RoomSize
    let tickets: Tickets
    /// The wall clock.
    let now: @Sendable () -> Timestamp
    /// IANA names, as PostgreSQL knows them.
    let timeZones: TimeZones
    /// For requests; where there are fewer than loops, loops share.
    let pools: [PostgresPool]
    /// For requests that may wait for a lock.
    let locks: LockPlaces
    /// Told of what has changed, after the commit: this process at once, and then the other servers.
    let changed: @Sendable (Hint) -> Void
    /// Told of what this process has dealt with already, or does not have to: for the other servers alone.
    var tellOthers: @Sendable (Hint) -> Void = { _ in }
    let limits: RequestLimits

    /// Tells everybody to look for what a transaction has changed, where nobody knows whether its commit came
    /// about.
    func tell(_ hints: some Sequence<Hint>, ifInDoubt error: any Error) {
        guard case .commitUnknown? = error as? PostgresError else { return }
        for hint in hints { changed(hint) }
    }

    /// The pool of a loop, or another loop's, which does as well, more slowly.
    func database(_ loop: EventLoop) -> PostgresPool {
        if let own = pools.first(where: { $0.loop === loop }) { return own }
        return pools[Int(ObjectIdentifier(loop).hashValue.magnitude % UInt(pools.count))]
    }

    func opensAt(_ startsAt: Timestamp) -> Timestamp {
        startsAt.adding(.seconds(-configuration.leadSeconds))
    }
}
