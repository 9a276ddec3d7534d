import CLinux
import Glibc
import Reactor
import Settings

/// The server's folder, `DATA_DIR`, which is created if it is missing, and held by one server at a time.
package final class DataDirectory: Sendable {
    /// The absolute path, without symbolic links.
    package let path: String
    /// The lock file, close-on-exec, so that a PostgreSQL that outlives us does not hold the lock.
    private let lock: FileLock

    package init(opening given: String) throws(ClusterError) {
        let absolute: String
        let file: String
        let descriptor: OwnedDescriptor
        do throws(SystemError) {
            absolute = try DataFolder.make(given)
            file = "\(absolute)/lock"
            descriptor = OwnedDescriptor(
                adopting: try system("open") { Glibc.open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) })
        } catch {
            throw .unusable(path: given, reason: error.reason)
        }
        path = absolute
        do throws(SystemError) {
            lock = try FileLock(of: descriptor)
        } catch {
            throw .inUse(dataDirectory: given, processID: Self.holder(of: file))
        }
        // The process id is only for the error message of a second server.
        let line = Array("\(getpid())\n".utf8)
        _ = ftruncate(lock.raw, 0)
        _ = pwrite(lock.raw, line, line.count, 0)
    }

    /// Releases the folder for the next server.
    package func release() { lock.unlock() }

    package var log: String { "\(path)/postgresql.log" }

    private static func holder(of file: String) -> String {
        guard let text = try? SmallFile.read(file), let number = Int32(text.prefix { !$0.isNewline }) else {
            return "unknown"
        }
        return "\(number)"
    }
}
