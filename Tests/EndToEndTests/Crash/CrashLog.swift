import Glibc
import Reactor

/// Where a long run says how it goes: the file `CRASH_LOG`, since the test runner keeps back what is printed.
/// Without one nothing is said.
enum CrashLog {
    /// For people, as it happens.
    static func say(_ line: String) { write("crash: \(line)") }

    /// For whoever looks into the file.
    static func write(_ line: String) {
        guard let path = ProcessEnvironment.current()["CRASH_LOG"] else { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array("\(line)\n".utf8)
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }
}
