import API
import Codecs
import Contract
import Database
import Logging
import Postgres
import Reactor
import Scheduling
import Settings

/// The matches of slots, and the clock by which they are made.
struct SchedulePart: Part {
    private let scheduler: Scheduler
    private let metrics: ScheduleMetrics
    private let store: PostgresSchedule
    private let rooms: RoomDirectory
    private let clock: ReferenceClock
    /// The pool by which the clock is measured.
    private let pool: PostgresPool

    init(
        _ context: PartContext, _ store: PostgresSchedule, _ rooms: RoomDirectory, _ metrics: ScheduleMetrics
    ) {
        self.store = store
        self.rooms = rooms
        self.metrics = metrics
        clock = context.clock
        pool = context.pool
        scheduler = Scheduler(
            context.rules, store: store, rooms: rooms, clock: LoopClock(context.loop, clock),
            metrics: metrics, tracer: context.traces?.tracer, on: context.loop,
            changed: context.application.changed,
            underWay: WorkUnderWay(connections: context.plan.matching))
    }

    /// Writes the row of this server, which has the label, and returns the schedule that it shares.
    static func begin(
        _ context: PartContext, _ feed: NotificationFeed, label: String
    ) async throws -> PostgresSchedule {
        let store = PostgresSchedule(
            pool: context.makePool(context.plan.matching), serverName: "\(ChangeEvent.origin)", label: label,
            boot: await BlockingThread.run { HostID.current() }, feed: feed,
            changed: context.application.changed, tellOthers: context.application.tellOthers)
        try await OpenedDatabase.patiently { try await store.begin(at: context.now()) }
        return store
    }

    var pools: [DatabasePools.Group] { [.init(name: "matching", pools: [store.pool])] }

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

    func figures() async -> [Figure] {
        [
            Figure(
                "clock_offset_seconds", "How far this machine's clock is ahead of the database's.",
                clock.machineAheadSeconds)
        ] + metrics.current.figures(overdue: await scheduler.overdue)
    }

    var states: [PartState] {
        get async {
            let (overdue, idle) = (await scheduler.overdue, await scheduler.idleTime)
            return [
                PartState(
                    name: "clock", isWell: clock.isCertain, ageSeconds: clock.measurementAge?.inSeconds,
                    detail: Self.clockDetail(aheadSeconds: clock.machineAheadSeconds)),
                PartState(
                    name: "scheduler", isWell: overdue < PartState.late,
                    detail: overdue > .zero
                        ? "late by \(PartState.rounded(overdue.inSeconds)) s"
                        : idle.map { "next in \(PartState.rounded($0.inSeconds)) s" }
                            ?? "nothing is planned"),
            ]
        }
    }

    /// Returns a sentence on the clock of the machine: it is ahead of the database's, or behind it.
    static func clockDetail(aheadSeconds: Double) -> String {
        let side = (aheadSeconds * 1000).rounded() < 0 ? "behind" : "ahead of"
        return "this machine is \(PartState.rounded(abs(aheadSeconds))) s \(side) the database"
    }

    func finish() async {
        do {
            try await rooms.storeEverything()
            await leaveRooms()
            try await store.resign(at: clock.now())
        } catch {
            Log.error("storing the last entries and counts failed", ["error": "\(error)"])
        }
    }

    /// Leaves the rooms without an owner. Of those that cannot be left the next server finds that their owner
    /// is gone.
    private func leaveRooms() async {
        do throws(PostgresError) {
            try await RoomOwners.free(of: ChangeEvent.origin, in: pool)
        } catch {
            Log.warning("could not release room ownership at shutdown", ["error": "\(error)"])
        }
    }
}
