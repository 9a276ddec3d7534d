import Glibc

/// Holds up a thread of a test's own server until it is ended.
final class Silence: Sendable {
    private let readEnd: CInt
    private let writeEnd: CInt

    init() {
        var ends: [CInt] = [-1, -1]
        precondition(pipe(&ends) == 0, "a test has descriptors to spare")
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func wait() {
        var descriptor = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        while poll(&descriptor, 1, -1) < 0 && errno == EINTR {}
    }

    /// The byte stays there, so that nobody waits again.
    func end() { _ = write(writeEnd, [0], 1) }
}
