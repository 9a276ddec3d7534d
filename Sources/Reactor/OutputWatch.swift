import CLinux
import Glibc

/// The work of a child's thread: reading the captured streams until the child has ended. It blocks.
///
/// The end of the process counts, not the end of the streams, which a grandchild may hold open for ever.
struct OutputWatch: Sendable {
    /// A descriptor that is readable when the process has ended; not owned.
    let ended: CInt
    /// The reading ends of the streams, which `run` closes; -1 if there is none.
    let output: CInt
    let errors: CInt
    let timeLimit: Duration?

    /// The most reads of one stream in a turn, so that a stream without a pause does not hide the end or the
    /// time limit.
    private static let readsPerTurn = 64

    func run(
        received: (ArraySlice<UInt8>, ChildProcess.Stream) -> Void, outOfTime: () -> Void
    ) {
        defer {
            for descriptor in [output, errors] where descriptor >= 0 { _ = Glibc.close(descriptor) }
        }
        for descriptor in [output, errors] where descriptor >= 0 {
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        let deadline = timeLimit.map { Monotonic.nanoseconds() &+ $0.clampedNanoseconds }
        var entries = [
            pollfd(fd: ended, events: Int16(POLLIN), revents: 0),
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
        ]
        var isInTime = true
        while true {
            let patience = isInTime ? deadline.map(Monotonic.milliseconds) ?? -1 : -1
            let ready = Glibc.poll(&entries, nfds_t(entries.count), patience)
            if ready == 0 {
                isInTime = false
                outOfTime()
            }
            if ready <= 0 { continue }
            let hasEnded = entries[0].revents != 0
            // poll ignores an entry with a negative descriptor, as of a stream that has ended.
            if !drain(output, { received($0, .standardOutput) }) { entries[1].fd = -1 }
            if !drain(errors, { received($0, .standardError) }) { entries[2].fd = -1 }
            if hasEnded { return }
        }
    }

    /// Reads the available bytes, up to the limit of a turn; returns false when the stream has ended.
    private func drain(_ descriptor: CInt, _ received: (ArraySlice<UInt8>) -> Void) -> Bool {
        guard descriptor >= 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        for _ in 0..<Self.readsPerTurn {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count > 0 {
                received(buffer[..<count])
            } else {
                return count < 0 && (errno == EAGAIN || errno == EINTR)
            }
        }
        return true
    }
}
