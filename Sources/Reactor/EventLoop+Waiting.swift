import CLinux
import Glibc

extension EventLoop {
    /// Runs the body on the loop, and blocks the calling thread until it is done: for rare, short work. It
    /// must not be called on the loop itself.
    package func runAndWait<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) throws(SystemError) -> Value {
        precondition(!isCurrent, "loop \(name) waits for itself")
        let done = OwnedDescriptor(adopting: try system("eventfd") { eventfd(0, CInt(EFD_CLOEXEC)) })
        let raw = done.raw
        let result = Lock<Value?>(nil)
        execute {
            let value = body()
            result.withLock { $0 = value }
            _ = eventfd_write(raw, 1)
        }
        while true {
            var count: eventfd_t = 0
            try system("eventfd_read") { eventfd_read(raw, &count) }
            if let value = result.withLock(\.self) { return value }
        }
    }
}
