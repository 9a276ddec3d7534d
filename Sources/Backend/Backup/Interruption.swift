import Glibc
import Reactor
import Synchronization

/// SIGTERM and SIGINT for a command that has to leave everything in order: a program that it started ends
/// with it, and so does a private database. The signals have to be blocked before the first thread starts.
enum Interruption {
    private static let asked = Atomic(false)

    /// Runs the body in a task that the first signal cancels; a second signal ends the process at once.
    /// Throws `StartFailure` if the body fails after a signal.
    static func heeding<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let group = try EventLoopGroup(count: 1, name: "signals")
        defer { group.shutdown() }
        let loop = group.loops[0]
        let task = Task { try await body() }
        let watcher: LoopBound<SignalWatcher>
        do {
            watcher = try await loop.submit {
                try LoopBound(
                    SignalWatcher([SIGTERM, SIGINT], on: loop) { _ in
                        if asked.exchange(true, ordering: .relaxed) { _exit(1) }
                        task.cancel()
                    }, to: loop)
            }
        } catch {
            task.cancel()
            _ = await task.result
            throw error
        }
        let result = await task.result
        await loop.submit { watcher.value.stop() }
        do {
            return try result.get()
        } catch {
            if asked.load(ordering: .relaxed) { throw StartFailure("It was stopped by a signal.") }
            throw error
        }
    }
}
