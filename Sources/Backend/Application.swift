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
    let pools: [PostgresPool]
    /// Told at once, in this process, of what the hints tell the others.
    let changed: @Sendable (Hint) -> Void

    /// The pool of a loop. Another loop's would do as well, more slowly.
    func database(_ loop: EventLoop) -> PostgresPool {
        pools.first { $0.loop === loop } ?? pools[0]
    }

    func opensAt(_ startsAt: Timestamp) -> Timestamp {
        startsAt.adding(.seconds(-configuration.leadSeconds))
    }
}
