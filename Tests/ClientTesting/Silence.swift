import Glibc

/// Blocks a thread of a test's own server until it is ended.
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

    /// Ends the blocking. The byte stays in the pipe, so that no later wait blocks.
    func end() { _ = write(writeEnd, [0], 1) }
}
