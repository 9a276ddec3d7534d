import CLinux
import Glibc

/// The main thread of a program whose signals are read by a loop.
///
/// An asynchronous `main` would give the thread to the runtime's queue, which unblocks every signal in it; so
/// the work is a task, and the main thread only waits for its end.
package enum MainThread {
    /// Runs the body to its end, and returns its exit code.
    package static func run(_ body: @escaping @Sendable () async -> CInt) -> CInt {
        let wakeup = eventfd(0, CInt(EFD_CLOEXEC))
        let code = Lock<CInt>(1)
        Task {
            let result = await body()
            code.withLock { $0 = result }
            _ = eventfd_write(wakeup, 1)
        }
        var value: eventfd_t = 0
        while eventfd_read(wakeup, &value) != 0 && errno == EINTR {}
        return code.withLock { $0 }
    }
}
