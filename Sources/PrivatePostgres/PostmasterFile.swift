import Glibc
import Reactor

/// The file `postmaster.pid`, in which a running PostgreSQL describes itself line by line (pid, data, start,
/// port, socket, …).
struct PostmasterFile: Equatable, Sendable {
    package let processID: Int32
    let socketFolder: String
    /// Whether connections are accepted: line 8 is `ready`.
    let isReady: Bool

    package static func path(in data: String) -> String { "\(data)/postmaster.pid" }

    /// Reads the file; nil if there is none, because PostgreSQL was stopped in order or never started, and if
    /// it has no text, as after a loss of power.
    package static func read(in data: String) throws(ClusterError) -> PostmasterFile? {
        let path = path(in: data)
        let text: String
        do throws(SystemError) {
            text = try SmallFile.read(path)
        } catch {
            if error.code == ENOENT { return nil }
            throw .unusable(path: path, reason: error.reason)
        }
        if text.unicodeScalars.allSatisfy({ $0 == "\0" }) { return nil }
        guard let file = PostmasterFile(text) else { throw .unreadablePostmasterFile(path) }
        return file
    }

    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // A negative number means a PostgreSQL that serves one session only.
        guard let first = lines.first, let number = Int32(first), number != 0, number != .min else {
            return nil
        }
        processID = abs(number)
        socketFolder = lines.count > 4 ? String(lines[4]) : ""
        isReady = lines.count > 7 && lines[7].split(separator: " ").first == "ready"
    }
}
