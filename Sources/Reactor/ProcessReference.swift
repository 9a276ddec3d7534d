import CLinux
import Glibc

/// A process, child or not, that cannot be confused with a later one of the same number (pidfd).
package struct ProcessReference: ~Copyable, Sendable {
    package let processID: CInt
    private let descriptor: OwnedDescriptor

    /// Opens a reference; throws `ESRCH` if no such process is alive.
    package init(processID: CInt) throws(SystemError) {
        self.processID = processID
        // The kernel sets close-on-exec by itself.
        descriptor = OwnedDescriptor(
            adopting: try system("pidfd_open") { pidfd_open_process(processID) })
    }

    /// The descriptor that becomes readable when the process has ended.
    var raw: CInt { descriptor.raw }

    /// Sends the signal; it is no error if the process has ended already.
    package func signal(_ number: CInt) { _ = pidfd_signal(descriptor.raw, number) }

    /// Blocks until the process has ended or the time is over; returns whether it has ended. Call it on a
    /// `BlockingThread`.
    package func waitUntilEnded(atMost time: Duration) -> Bool {
        let deadline = Monotonic.nanoseconds() &+ time.clampedNanoseconds
        while true {
            let left = Monotonic.milliseconds(until: deadline)
            var entry = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
            if Glibc.poll(&entry, 1, left) > 0 { return true }
            if left == 0 { return false }
        }
    }
}
