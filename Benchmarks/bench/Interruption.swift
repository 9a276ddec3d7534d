import Glibc
import Reactor

/// SIGINT and SIGTERM, which `main` has blocked.
enum Interruption {
    /// Returns when a signal arrives, or the task is cancelled. It is called once in a process.
    static func wait(on loop: EventLoop) async {
        let (signals, continuation) = AsyncStream<Never>.makeStream()
        loop.execute {
            // The loop keeps the watcher. Without one, the process can only be killed.
            do throws(SystemError) {
                _ = try SignalWatcher([SIGINT, SIGTERM], on: loop) { _ in continuation.finish() }
            } catch {
                continuation.finish()
            }
        }
        for await _ in signals {}
    }
}
