import CLinux
import Glibc
import Reactor

/// The server's folder, `DATA_DIR`: made where it is missing, and held by one server at a time.
final class DataDirectory: Sendable {
    /// Absolute, without symbolic links.
    let path: String
    /// Close-on-exec: a PostgreSQL that outlives us does not hold it.
    private let lock: OwnedDescriptor

    init(opening given: String) throws(ClusterError) {
        let absolute: String
        let descriptor: OwnedDescriptor
        do throws(SystemError) {
            absolute = try Self.make(given)
            let file = "\(absolute)/lock"
            descriptor = OwnedDescriptor(
                adopting: try system("open") { Glibc.open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) })
        } catch {
            throw .unusable(path: given, reason: error.reason)
        }
        path = absolute
        lock = descriptor
        guard flock(lock.raw, LOCK_EX | LOCK_NB) == 0 else {
            throw .inUse(dataDirectory: given, processID: Self.holder(of: "\(path)/lock"))
        }
        // For whoever comes second, and its message only.
        let line = Array("\(getpid())\n".utf8)
        _ = ftruncate(lock.raw, 0)
        _ = pwrite(lock.raw, line, line.count, 0)
    }

    /// Makes the folder where it is missing, without holding it; answers with its absolute path.
    static func make(_ given: String) throws(SystemError) -> String {
        // PostgreSQL's own user has to pass through where root made the folder; it sees nothing else of it.
        try makeFolders(given, mode: geteuid() == 0 ? 0o711 : 0o700)
        return try absolute(given)
    }

    /// Gives the folder to the next server.
    func release() { flock(lock.raw, LOCK_UN) }

    var log: String { "\(path)/postgresql.log" }

    private static func holder(of file: String) -> String {
        guard let text = try? SmallFile.read(file), let number = Int32(text.prefix { !$0.isNewline }) else {
            return "unknown"
        }
        return "\(number)"
    }

    private static func makeFolders(_ path: String, mode: mode_t) throws(SystemError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/\(part)"
            if mkdir(made, mode) == 0 {
                // The mode of mkdir is narrowed by the umask.
                _ = chmod(made, mode)
            } else if errno != EEXIST {
                throw .failed(call: "mkdir", errno: errno)
            }
        }
    }

    private static func absolute(_ path: String) throws(SystemError) -> String {
        guard let resolved = realpath(path, nil) else { throw .failed(call: "realpath", errno: errno) }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
