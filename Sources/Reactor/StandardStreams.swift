import CLinux
import Glibc
import Synchronization

/// The three standard descriptors of a program, and the output of its results.
package enum StandardStreams {
    /// Results that could not be written to standard output.
    package struct OutputError: Error, CustomStringConvertible {
        package let cause: SystemError

        /// Whether the reader of standard output has ended.
        package var isBrokenPipe: Bool { cause.code == EPIPE }

        package var description: String { "Standard output cannot be written: \(cause.reason)." }
    }

    /// Whether the parent process has chosen that SIGPIPE does not end this one.
    private static let isPipeIgnored = Atomic(false)

    /// Prepares the process, before it opens anything.
    ///
    /// A write to a pipe without a reader fails with EPIPE from then on. A standard descriptor that the
    /// parent has closed is filled: the next socket would otherwise get its number, and results or log lines
    /// with it. What fills it refuses the direction that it is used for, so that a write fails with EBADF.
    package static func prepare() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
        isPipeIgnored.store(broken_pipe_ignore() != 0, ordering: .relaxed)
    }

    /// Writes results to standard output. It blocks until the reader has taken them all.
    package static func write(_ bytes: [UInt8]) throws(OutputError) {
        do throws(SystemError) {
            try writeAll(bytes, to: STDOUT_FILENO)
        } catch {
            throw OutputError(cause: error)
        }
    }

    /// Writes a line to standard output.
    package static func line(_ text: String) throws(OutputError) { try write(Array("\(text)\n".utf8)) }

    /// Ends the process as SIGPIPE does by default, unless its parent has chosen that SIGPIPE is ignored.
    package static func endByBrokenPipe() {
        if isPipeIgnored.load(ordering: .relaxed) { return }
        signal(SIGPIPE, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(SIGPIPE)
    }
}

/// Writes all bytes to a descriptor. It blocks, also if another process has made the descriptor non-blocking.
package func writeAll(_ bytes: [UInt8], to descriptor: CInt) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 {
            rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
            var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&watched, 1, -1)
        } else if errno != EINTR {
            throw .failed(call: "write", errno: errno)
        }
    }
}
