import Glibc
import Reactor

/// The log of a long run: the file `CRASH_LOG`, since the test runner buffers standard output. Without that
/// variable nothing is logged.
enum CrashLog {
    /// Writes a line that people read as it happens.
    static func say(_ line: String) { write("crash: \(line)") }

    /// Writes a line for readers of the file.
    static func write(_ line: String) {
        guard let path = ProcessEnvironment.current()["CRASH_LOG"] else { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array("\(line)\n".utf8)
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }
}
