import Codecs
import Contract
import Matching
import TestKit

@testable import Backend
@testable import Logging
@testable import Scheduling

/// Faults of servers: processes start, die and stand still, and their clocks are set.
extension SimulatedWorld {
    func start(_ index: Int) {
        guard !servers[index].isUp, !servers[index].isGone else { return }
        servers[index].generation += 1
        forgetPresence(on: index)
        servers[index].wellSince = max(servers[index].wellSince, elapsed)
        let handle = ServerHandle(index: index, generation: servers[index].generation)
        let loop = servers[index].loop
        let reference = ReferenceClock(
            monotonic: { self.inPlace { $0.monotonic(of: index) } }, machine: machineClock(of: index))
        let clock = SimulatedClock(world: self, server: handle, reference: reference)
        let scheduler = Scheduler(
            plan.rules, store: ModelStore(world: self, server: handle),
            rooms: SimulatedRooms(world: self, server: handle), clock: clock, metrics: ScheduleMetrics(),
            on: loop,
            changed: { _ in }, using: SplitMix64(seed: random.next()),
            makeRoomID: { self.inPlace { $0.makeID() } }, holder: "\(index).\(handle.generation)")
        servers[index].scheduler = scheduler
        servers[index].reference = reference
        runningTasks += 1
        note("server \(index) starts")
        servers[index].task = Task(executorPreference: loop) {
            await Log.$isMuted.withValue(true) { await self.run(scheduler, by: clock) }
            self.inPlace { $0.runningTasks -= 1 }
        }
    }

    nonisolated private func run(_ scheduler: Scheduler, by clock: SimulatedClock) async {
        let measure = { @Sendable in
            try await clock.reference.measure { try await self.ask(clock.server) { $0.now } }
        }
        while !Task.isCancelled && !clock.isCertain {
            if let measurement = try? await measure() { clock.reference.add(measurement) }
            if !clock.isCertain { await clock.sleep(for: .seconds(1)) }
        }
        let keeper = ClockKeeper(
            clock: clock.reference, measure: measure, idleTime: { await scheduler.idleTime },
            changed: { await scheduler.wake() }, sleep: { await clock.sleep(for: $0) })
        await withDiscardingTaskGroup { group in
            group.addTask { await scheduler.run() }
            group.addTask { await keeper.run() }
        }
    }

    /// Kills the current process. Its sent requests may still arrive.
    func kill(_ index: Int) {
        guard servers[index].isUp else { return }
        let handle = ServerHandle(index: index, generation: servers[index].generation)
        servers[index].scheduler = nil
        servers[index].reference = nil
        // The tasks that wait for an alarm find that they are cancelled.
        for (_, body) in servers[index].alarms.sorted(by: { $0.key < $1.key }) {
            servers[index].loop.execute(body)
        }
        servers[index].alarms = [:]
        servers[index].entries = []
        servers[index].present = [:]
        servers[index].killedAt = elapsed
        servers[index].loop.isStalled = false
        servers[index].task?.cancel()
        servers[index].task = nil
        for (number, call) in calls.sorted(by: { $0.key < $1.key }) where call.server == handle {
            answer(number, ServerKilled())
        }
    }

    func crash(_ server: ServerHandle, because reason: String) {
        guard isAlive(server), !isCalm else { return }
        note("server \(server.index) is killed \(reason)")
        statistics.crashes += 1
        kill(server.index)
        let pause = chance(0.5) ? draw(1_000...500_000) : draw(500_000...60_000_000)
        servers[server.index].wellSince = elapsed + pause
        after(pause) { $0.start(server.index) }
    }

    func trouble(_ server: ServerHandle?) {
        guard let server else { return }
        servers[server.index].wellSince = max(servers[server.index].wellSince, elapsed)
    }

    func troubleForAll(until end: Int64) {
        for index in servers.indices { servers[index].wellSince = max(servers[index].wellSince, end) }
    }

    /// Sets the wall clock of a server.
    func setClock(of index: Int, to offset: Int64) {
        note("the clock of server \(index) is set to \(Duration.microseconds(offset)) ahead")
        statistics.clockSteps += 1
        servers[index].offset = offset
    }

    func stall(_ index: Int, for pause: Int64) {
        guard servers[index].isUp, !servers[index].loop.isStalled else { return }
        note("server \(index) stands still for \(Duration.microseconds(pause))")
        servers[index].loop.isStalled = true
        // The server may hold a lock.
        troubleForAll(until: elapsed + pause)
        let generation = servers[index].generation
        after(pause) { world in
            if world.servers[index].generation == generation { world.servers[index].loop.isStalled = false }
        }
    }

    /// Takes the database away: open transactions are rolled back, and connections break.
    func loseDatabase(for pause: Int64) {
        note("the database is away for \(Duration.microseconds(pause))")
        statistics.outages += 1
        databaseAwayUntil = max(databaseAwayUntil, elapsed + pause)
        troubleForAll(until: databaseAwayUntil)
        for transaction in transactions.keys.sorted() { breakOff(transaction) }
        // The listener reconnects, and the agenda is read again.
        for index in servers.indices {
            after(pause + draw(0...1_000_000)) { world in
                world.servers[index].scheduler?.assumeIsolated { $0.reread() }
            }
        }
    }

    /// Tells the servers of a change of the slot: its own at once, the others by the database, or not at all.
    func changeEvent(_ startsAt: Timestamp, from origin: Int) {
        if bug == .hearsNothing { return }
        for index in servers.indices {
            if index != origin && !isCalm && chance(plan.faults.lostChangeEvent) {
                statistics.lostChangeEvents += 1
                note("a change event does not reach server \(index)")
                servers[index].wellSince = max(servers[index].wellSince, elapsed)
                continue
            }
            after(index == origin ? 0 : draw(200...10_000)) { world in
                guard let scheduler = world.servers[index].scheduler else { return }
                world.servers[index].loop.execute {
                    scheduler.assumeIsolated { $0.slotChanged(startsAt) }
                }
            }
        }
    }

    /// Tells all servers by the database that members left rooms of the slot.
    func departureEvent(_ startsAt: Timestamp) {
        if bug == .overlooksDepartures { return }
        for index in servers.indices {
            if !isCalm && chance(plan.faults.lostChangeEvent) {
                servers[index].wellSince = max(servers[index].wellSince, elapsed)
                continue
            }
            after(draw(200...10_000)) { world in
                guard let scheduler = world.servers[index].scheduler else { return }
                world.servers[index].loop.execute {
                    scheduler.assumeIsolated { $0.membersLeft(startsAt) }
                }
            }
        }
    }

    /// Plans the faults, and the instant at which they end.
    func planFaults() {
        let end = plan.calmAt.since(plan.begin).wholeMicroseconds
        for index in servers.indices {
            servers[index].origin = draw(0...1_000_000_000_000)
            servers[index].drift = plan.isFaultless ? 0 : draw(-500...500)
            if plan.skew > 0 { setClock(of: index, to: draw(-plan.skew...plan.skew)) }
            start(index)
        }
        statistics.clockSteps = 0
        for _ in 0..<plan.faults.crashes { after(draw(0...end)) { $0.crashSome() } }
        if plan.faults.losesServer, let startsAt = plan.slots.first {
            let quarter = plan.rules.grid.slotSeconds * 250_000
            at(startsAt.adding(.microseconds(draw(0...quarter)))) { $0.loseServer() }
        }
        for _ in 0..<plan.faults.outages {
            let pause = chance(0.7) ? draw(100_000...5_000_000) : draw(5_000_000...60_000_000)
            after(draw(0...end)) { $0.loseDatabase(for: pause) }
        }
        for _ in 0..<plan.faults.stalls {
            let index = Int(draw(0...Int64(servers.count - 1)))
            let pause = draw(10_000...30_000_000)
            after(draw(0...end)) { $0.stall(index, for: pause) }
        }
        for _ in 0..<plan.faults.clockSteps { planClockStep(before: end) }
        after(end) { $0.setRight() }
    }

    private func crashSome() {
        let index = Int(draw(0...Int64(servers.count - 1)))
        crash(
            ServerHandle(index: index, generation: servers[index].generation), because: "at a random instant")
    }

    /// Kills the last of several servers for good.
    private func loseServer() {
        let index = servers.count - 1
        if index == 0 || !servers[index].isUp { return }
        note("server \(index) is gone for good")
        statistics.losses += 1
        kill(index)
        servers[index].isGone = true
    }

    private func planClockStep(before end: Int64) {
        let index = Int(draw(0...Int64(servers.count - 1)))
        let length = plan.rules.grid.slotSeconds * 1_000_000
        let step: Int64 =
            switch draw(0...3) {
            case 0: draw(-2_000_000...2_000_000)
            case 1: draw(-length...length)
            case 2: 3_600_000_000
            default: -3_600_000_000
            }
        let begin = draw(0...end)
        after(begin) { world in
            world.setClock(of: index, to: step)
        }
        after(min(end, begin + draw(1_000_000...60_000_000))) { world in
            world.setClock(of: index, to: world.draw(0...max(1, world.plan.skew)))
        }
    }

    /// Ends all faults.
    private func setRight() {
        note("all is set right")
        databaseAwayUntil = elapsed
        for index in servers.indices {
            servers[index].loop.isStalled = false
            servers[index].wellSince = elapsed
            start(index)
        }
        isCalm = true
    }
}
