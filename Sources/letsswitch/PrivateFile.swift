import Glibc
import Reactor

/// A file that only its owner can read, and that is replaced as a whole.
enum PrivateFile {
    private static let mode: mode_t = 0o600

    /// Replaces the file atomically and durably: a reader sees the old content or the new one. Returns
    /// whether that could be done; if not, `errno` says why.
    static func write(_ content: [UInt8], to path: String) -> Bool {
        let temporary = "\(path).\(getpid())"
        _ = unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { return false }
        let isWritten = (try? writeAll(content, to: file)) != nil && fsync(file) == 0
        guard close(file) == 0, isWritten, rename(temporary, path) == 0 else {
            let code = errno
            _ = unlink(temporary)
            errno = code
            return false
        }
        // The renaming is durable once the folder is written, too.
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        return (try? synchronise(folder: directory)) != nil
    }

    /// Returns the content of the file; nil if it cannot be read, is longer than the limit, or is open to
    /// others.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { _ = close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & 0o077 == 0 else { return nil }
        return try? SmallFile.bytes(of: file, limit: limit)
    }
}
