import API
import Cluster
import Database
import HTTPServer
import Logging
import Postgres
import Reactor

/// The work of a server between its start and its end.
extension Backend {
    /// Runs the tasks of all parts until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            let loop = context.loop
            for task in parts.flatMap(\.tasks) { group.addTask(executorPreference: loop) { await task() } }
            group.addTask(executorPreference: loop) { await context.changes.run(parts) }
            group.addTask(executorPreference: loop) { await compare() }
            group.addTask(executorPreference: loop) { await parts.removeExpired(at: context.now) }
        }
    }

    /// The steps in which a server drains, one after the other. The first listener is that of clients.
    func drainSteps(_ listeners: [HTTPServer]) -> [(name: String, take: @Sendable () async -> Void)] {
        [
            // The other servers reach this one as long as it has rooms that they may get.
            ("hand over rooms", { await cluster.handOver(rooms) }),
            ("accept nothing", { for listener in listeners { await listener.drain() } }),
            // Matches give rooms to other servers from now on, also if the hand-over has failed.
            ("leave the cluster", { try? await cluster.service.drain() }),
            ("close sockets", { await rooms.drain() }),
            (
                "wait for clients",
                {
                    guard let clients = listeners.first else { return }
                    if await !clients.waitUntilEmpty(timeout: Self.drainTimeout) {
                        Log.warning("connections were still open", ["count": "\(clients.connectionCount)"])
                    }
                }
            ),
        ]
    }

    /// Drains the server in these steps. Meanwhile the attempts to deliver that are under way finish.
    func drain(_ listeners: [HTTPServer]) async {
        async let deliveries: Void = deliveries.drain()
        for step in drainSteps(listeners) { await step.take() }
        await deliveries
    }

    /// Stores the last entries and counts and closes the pools, after `run` has ended.
    func finish() async {
        let pools = pools.groups.flatMap(\.pools)
        // Statements that tasks of `run` left behind would keep the connections from the last ones.
        for pool in pools { await pool.closeAbandoned() }
        for part in parts.reversed() { await part.finish() }
        for pool in pools { await pool.shutdown() }
    }

    private func compare() async {
        while !Task.isCancelled {
            try? await ContinuousClock().sleep(for: Self.comparing)
            do {
                try await parts.compare()
            } catch {
                if Task.isCancelled { return }
                Log.warning("comparing rooms and tokens failed; retrying", ["error": "\(error)"])
            }
        }
    }
}
