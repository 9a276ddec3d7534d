import Contract
import Glibc
import Reactor

/// Lines on standard output and standard error, unbuffered.
enum Output {
    static func say(_ line: String) { write(line, to: STDOUT_FILENO) }

    static func warn(_ line: String) { write("bench: \(line)", to: STDERR_FILENO) }

    /// Writes a line to standard error, with the time of day in UTC.
    static func note(_ line: String) {
        let now = Timestamp(microseconds: WallClock.microseconds())
        write("\(now.description.dropFirst(11).prefix(8)) \(line)", to: STDERR_FILENO)
    }

    private static func write(_ line: String, to descriptor: CInt) {
        var rest = Array("\(line)\n".utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}
