import Contract
import Rooms
import TestKit

@testable import Cluster
@testable import Rooms

/// Processes that start, die and stand still, and links that are cut and healed.
extension ClusterWorld {
    // Processes.

    func start(_ index: Int) {
        guard servers[index].state != .running, !isEnding else { return }
        observe()
        servers[index].generation += 1
        servers[index].state = .running
        servers[index].isDraining = false
        let handle = ProcessHandle(index: index, generation: servers[index].generation)
        let process = SimulatedProcess(
            handle, in: self, on: servers[index], hasDisk: plan.disks.contains(index))
        servers[index].process = process
        note("server \(handle) starts")
        let disk = servers[index].disk
        runningTasks += 1
        servers[index].task = Self.task(of: self, on: process.background) { await process.run(disk) }
        stall(index)
        takeLock(handle)
    }

    /// Has the database know the process by a lock, as soon as they are connected.
    private func takeLock(_ handle: ProcessHandle) {
        after(draw(5_000...100_000)) { world in
            guard world.isAlive(handle) else { return }
            if world.isConnected(handle.index) {
                world.database.locks.insert(handle.incarnation)
            } else {
                world.after(500_000) { $0.takeLock(handle) }
            }
        }
    }

    private func isConnected(_ index: Int) -> Bool {
        !isOutage && network.isOpen(between: index, and: network.database)
    }

    /// Ends a process. If its machine is lost, no peer is told of it.
    func kill(_ index: Int, isLost: Bool = false) {
        guard servers[index].state == .running else { return }
        observe()
        let handle = ProcessHandle(index: index, generation: servers[index].generation)
        note("server \(handle) is \(isLost ? "lost" : "killed")")
        if let rooms = servers[index].process?.rooms {
            servers[index].disk = rooms.host.assumeIsolated { $0.words }
        }
        servers[index].state = isLost ? .lost : .down
        let process = servers[index].process
        servers[index].process = nil
        servers[index].background.isStalled = false
        servers[index].roomLoop.isStalled = false
        servers[index].task?.cancel()
        for move in servers[index].moves { move.cancel() }
        servers[index].moves = []
        // Alarms ring and calls fail at once, so that the tasks of the process end.
        let alarms = servers[index].alarms
        servers[index].alarms = [:]
        for (_, body) in alarms.sorted(by: { $0.key < $1.key }) { process?.background.execute(body) }
        for (number, call) in calls.sorted(by: { $0.key < $1.key }) where call.handle == handle {
            calls[number] = nil
            call.fail(self)
        }
        breakSockets(of: handle, isLost: isLost)
        let notice = isLost || !isConnected(index) ? draw(5_000_000...10_000_000) : draw(1_000...50_000)
        after(notice) { $0.database.locks.remove(handle.incarnation) }
    }

    private func pause(_ index: Int) {
        observe()
        servers[index].pauses += 1
        note("server \(index) stands still")
        if servers[index].pauses > 1 { return }
        servers[index].pausedAt = elapsed
        stall(index)
    }

    private func resume(_ index: Int) {
        observe()
        servers[index].pauses -= 1
        if servers[index].pauses > 0 { return }
        note("server \(index) goes on")
        servers[index].pausedFor += elapsed - servers[index].pausedAt
        stall(index)
        goOnWithSockets()
    }

    private func stall(_ index: Int) {
        let isStalled = servers[index].isPaused && servers[index].state == .running
        servers[index].background.isStalled = isStalled
        servers[index].roomLoop.isStalled = isStalled
    }

    /// Tells a server to end, and starts it again once it has handed its rooms over.
    private func drain(_ index: Int, restartAfter length: Int64) {
        guard let process = ready(index), !servers[index].isDraining else { return }
        servers[index].isDraining = true
        note("server \(process.handle) is told to end")
        let handle = process.handle
        start(on: process.background) {
            await process.drain()
            self.inPlace { world in
                // Its last frames leave before it ends.
                world.after(100_000) { world in
                    guard world.isAlive(handle) else { return }
                    world.kill(index)
                    if world.isConnected(index) { world.database.servers[handle.incarnation] = nil }
                    world.after(min(length, max(0, world.plan.calmAt - world.elapsed))) { $0.start(index) }
                }
            }
        }
    }

    /// Has the owner of a room hand it to a server, as an operator asks.
    private func move(_ room: Identifier, to other: Int) {
        guard let owner = database.rooms[room]?.owner, ProcessHandle(owner).index != other,
            let process = ready(ProcessHandle(owner).index), process.incarnation == owner
        else { return }
        note("room \(room.number) is to go from \(process.handle) to \(other)")
        runningTasks += 1
        let task = Self.task(of: self, on: process.background) { await process.move(room, to: other) }
        servers[process.handle.index].moves.append(task)
    }

    // Links.

    private func cut(_ from: Int, _ to: Int) {
        observe()
        network.cut(from: from, to: to, at: elapsed)
        note("cut from \(name(from)) to \(name(to))")
        noteDatabase()
        let (since, database) = (elapsed, network.database)
        after(Self.silence) { world in
            guard !world.network.isOpen(from: from, to: to), world.network.cutAt[from][to] == since else {
                return
            }
            if from != database && to != database { return world.breakTunnels(between: from, and: to) }
            // The database notices that it does not hear of the process any more.
            let index = min(from, to)
            let handle = ProcessHandle(index: index, generation: world.servers[index].generation)
            world.database.locks.remove(handle.incarnation)
        }
    }

    private func heal(_ from: Int, _ to: Int) {
        observe()
        network.heal(from: from, to: to)
        note("heal from \(name(from)) to \(name(to))")
        noteDatabase()
        if from == network.database || to == network.database {
            let index = min(from, to)
            retransmit(index)
            takeLock(ProcessHandle(index: index, generation: servers[index].generation))
        }
        goOnWithSockets()
    }

    private func name(_ node: Int) -> String { node == network.database ? "the database" : "\(node)" }

    private func noteDatabase() {
        for index in servers.indices {
            let isCut = !network.isOpen(between: index, and: network.database)
            if isCut {
                servers[index].withoutDatabaseSince = servers[index].withoutDatabaseSince ?? elapsed
            } else {
                servers[index].withoutDatabaseSince = nil
            }
        }
    }

    // The plan.

    func planFaults() {
        for planned in plan.faults {
            let end = min(planned.at + planned.length, plan.calmAt)
            after(planned.at) { world in
                world.begin(planned.fault, length: end - planned.at)
                world.after(end - planned.at) { $0.end(planned.fault) }
            }
        }
        for planned in plan.moves {
            after(planned.at) { $0.move(Identifier(value: UInt128(planned.room + 1)), to: planned.to) }
        }
        after(plan.calmAt) { world in
            world.isCalm = true
            world.note("everything is well")
            for server in world.servers {
                // A server that still ends then does so at once.
                if server.isDraining { world.kill(server.index) }
                world.start(server.index)
            }
        }
    }

    private func begin(_ fault: ClusterPlan.Fault, length: Int64) {
        switch fault {
        case .cut(let from, let to): cut(from, to)
        case .cutBoth(let one, let other):
            cut(one, other)
            cut(other, one)
        case .refusing(let from, let to):
            observe()
            note("\(to) refuses \(from)")
            network.refuse(from: from, to: to)
        case .deaf(let one):
            cut(one, network.database)
            cut(network.database, one)
            network.deafen(one)
        case .isolated(let one):
            for other in 0...network.database where other != one {
                cut(one, other)
                cut(other, one)
            }
        case .kill(let one): kill(one)
        case .lose(let one): kill(one, isLost: true)
        case .pause(let one): pause(one)
        case .drain(let one): drain(one, restartAfter: length)
        case .outage:
            observe()
            outages += 1
            note("the database is away")
        }
    }

    private func end(_ fault: ClusterPlan.Fault) {
        switch fault {
        case .cut(let from, let to): heal(from, to)
        case .cutBoth(let one, let other):
            heal(one, other)
            heal(other, one)
        case .refusing(let from, let to):
            observe()
            network.admit(from: from, to: to)
        case .deaf(let one):
            heal(one, network.database)
            heal(network.database, one)
            network.undeafen(one)
        case .isolated(let one):
            for other in 0...network.database where other != one {
                heal(one, other)
                heal(other, one)
            }
        case .kill(let one), .lose(let one): start(one)
        case .pause(let one): resume(one)
        case .drain: break
        case .outage:
            observe()
            outages -= 1
            note("the database is back")
        }
    }
}
