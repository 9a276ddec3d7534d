import API
import Contract
import Database
import Logging
import Postgres
import Reactor
import Scheduling

/// The matches of slots, and the clock by which they are made.
struct SchedulePart: Part {
    let scheduler: Scheduler
    let store: PostgresSchedule
    let rooms: RoomDirectory
    let clock: ReferenceClock
    /// The pool by which the clock is measured.
    let pool: PostgresPool

    var tasks: [@Sendable () async -> Void] {
        let keeper = ClockKeeper(
            clock: clock, measure: { try await clock.measure(on: pool) },
            idleTime: { await scheduler.idleTime }, changed: { await scheduler.wake() },
            sleep: { try await ContinuousClock().sleep(for: $0) })
        return [keeper.run, scheduler.run]
    }

    func changed(_ changes: PendingChanges) async {
        if changes.presence || changes.concernRooms { await scheduler.presenceChanged() }
        if changes.all.contains(.slots) { await scheduler.reread() }
        for slot in changes.slots { await scheduler.slotChanged(slot) }
        for slot in changes.left { await scheduler.membersLeft(slot) }
    }

    func finish() async {
        do {
            try await rooms.storeEverything()
            await leaveRooms()
            try await store.resign(at: clock.now())
        } catch {
            Log.error("the last entries and counts could not be stored", ["error": "\(error)"])
        }
    }

    /// Leaves the rooms without an owner. Of those that cannot be left the next server finds that their owner
    /// is gone.
    private func leaveRooms() async {
        do throws(PostgresError) {
            try await RoomOwners.free(of: ChangeEvent.origin, in: pool)
        } catch {
            Log.warning("the rooms keep this server as their owner", ["error": "\(error)"])
        }
    }
}
