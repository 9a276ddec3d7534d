import API
import Cluster
import Console
import Contract
import Database
import Glibc
import HTTP1
import HTTPServer
import Logging
import Matching
import Outbox
import Postgres
import Reactor
import Rooms
import Scheduling
import Settings
import Tracing
import Web

/// The work of a server between its start and its end.
extension Backend {
    /// Runs the background tasks until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            let loop = backgroundPool.loop
            group.addTask(executorPreference: loop) { await writer.run() }
            group.addTask(executorPreference: loop) { await batcher.run() }
            group.addTask(executorPreference: loop) { await feed.run() }
            group.addTask { await deliveries.run() }
            if let traces { group.addTask { await traces.run() } }
            group.addTask(executorPreference: loop) { await retention.run() }
            group.addTask(executorPreference: loop) { await routines.run() }
            group.addTask(executorPreference: loop) { await announcements.run() }
            group.addTask(executorPreference: loop) {
                await application.timeZones.run(reading: backgroundPool)
            }
            group.addTask(executorPreference: loop) { await erasure.run() }
            group.addTask(executorPreference: loop) { await deskRetention.run() }
            if let desk {
                group.addTask(executorPreference: loop) { await desk.board.run() }
                let heads = AuditHeadLog(
                    desk.audit, pool: desk.pool, sleep: { try await ContinuousClock().sleep(for: $0) })
                group.addTask(executorPreference: loop) { await heads.run() }
            }
            let keeper = ClockKeeper(
                clock: clock, measure: { try await clock.measure(on: backgroundPool) },
                idleTime: { await scheduler.idleTime }, changed: { await scheduler.wake() },
                sleep: { try await ContinuousClock().sleep(for: $0) })
            group.addTask(executorPreference: loop) { await keeper.run() }
            group.addTask(executorPreference: loop) { await scheduler.run() }
            group.addTask(executorPreference: loop) { await changes.run(actions) }
            group.addTask(executorPreference: loop) { await broadcaster.run() }
            group.addTask(executorPreference: loop) { await compare() }
            group.addTask(executorPreference: loop) { await counts.run() }
            group.addTask(executorPreference: loop) { await partners.run() }
            group.addTask(executorPreference: loop) { await uses.run(in: backgroundPool) }
            group.addTask(executorPreference: loop) { await cluster.service.run() }
            group.addTask(executorPreference: loop) {
                await listener.run(
                    onConnect: {
                        listening.set(true)
                        application.signIns.setListening(true)
                        // PostgreSQL may have been replaced, with its zone files.
                        application.timeZones.wake()
                        changes.receive(.all(.slots))
                        changes.receive(.notifications)
                        changes.receive(.all(.rooms))
                    },
                    onNotification: { notification in
                        if broadcaster.isOwn(notification) { return }
                        if let changeEvent = ChangeEvent(notification.payload) {
                            application.signIns.apply(changeEvent)
                            changes.receive(changeEvent)
                        }
                    },
                    onFailure: { error in
                        listening.set(false)
                        application.signIns.setListening(false)
                        Log.warning(
                            "change events of other servers are missed meanwhile", ["error": "\(error)"])
                    })
            }
        }
    }

    /// Hands the rooms of this server to the others, if there are any.
    func handOver() async { await cluster.handOver(rooms) }

    /// Closes all sockets.
    func drain() async {
        // From now on matches give rooms to other servers.
        try? await cluster.service.drain()
        await rooms.drain()
    }

    /// Finishes the deliveries under way, and begins no more.
    func drainDeliveries() async {
        await deliveries.drain()
    }

    /// Stores the last entries and counts and closes the pools, after `run` has ended.
    func finish() async {
        let pools = application.pools + [batcherPool, matchingPool, backgroundPool]
        // Statements that tasks of `run` left behind would keep the connections from the last ones.
        for pool in pools { await pool.closeAbandoned() }
        do {
            try await rooms.storeEverything()
            await leaveRooms()
            try await store.resign(at: application.now())
        } catch {
            Log.error("the last entries and counts could not be stored", ["error": "\(error)"])
        }
        await deliveries.finish()
        await traces?.finish()
        await cluster.finish()
        await broadcaster.finish()
        await application.locks.shutdown()
        await deskPool?.shutdown()
        for pool in pools { await pool.shutdown() }
    }

    /// Leaves the rooms without an owner. Of those that cannot be left the next server finds that their owner
    /// is gone.
    private func leaveRooms() async {
        do throws(PostgresError) {
            try await RoomOwners.free(of: ChangeEvent.origin, in: backgroundPool)
        } catch {
            Log.warning("the rooms keep this server as their owner", ["error": "\(error)"])
        }
    }

    private var actions: ChangeDispatcher.Actions {
        ChangeDispatcher.Actions(
            notifications: {
                await feed.wake()
                deliveries.deliveryWorker.wake()
            },
            presence: { await scheduler.presenceChanged() },
            slot: { slot in
                counts.wake()
                partners.wake()
                await cluster.service.slotChanged(slot)
                await scheduler.slotChanged(slot)
            },
            left: { await scheduler.membersLeft($0) },
            allSlots: { await scheduler.reread() },
            rooms: { changes in
                try await rooms.refresh(changes)
                await scheduler.presenceChanged()
            },
            users: { changes in
                erasure.wake()
                if changes.all.contains(.users) {
                    try await feed.endOutdated()
                    return try await rooms.refreshAll()
                }
                for user in changes.users { await feed.end(user) }
                try await rooms.refresh(of: Array(changes.users))
            },
            announcement: { id in
                announcements.wake()
                try await rooms.show(id)
            },
            drain: { server in
                guard server == ChangeEvent.origin else { return }
                Log.info("an operator lets this server stop")
                // The signal that stops a server, from within.
                kill(getpid(), SIGTERM)
            },
            move: { room, server in await cluster.move(room, to: server, from: rooms) })
    }

    private func compare() async {
        while !Task.isCancelled {
            try? await ContinuousClock().sleep(for: Self.refreshInterval)
            counts.wake()
            roomsFile?.warnIfTruncated()
            do {
                try await feed.endOutdated()
                try await rooms.refreshOccupied()
            } catch {
                if Task.isCancelled { return }
                Log.warning("rooms and tokens are compared later", ["error": "\(error)"])
            }
        }
    }
}
