import API
import Cluster
import Database
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

    /// Hands the rooms of this server to the others, if there are any.
    func handOver() async { await cluster.handOver(rooms) }

    /// Closes all sockets.
    func drain() async {
        // From now on matches give rooms to other servers.
        try? await cluster.service.drain()
        await rooms.drain()
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
                Log.warning("rooms and tokens are compared later", ["error": "\(error)"])
            }
        }
    }
}
