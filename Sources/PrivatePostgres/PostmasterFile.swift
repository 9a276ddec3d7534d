import Reactor

/// `postmaster.pid`: what a running PostgreSQL says of itself, line by line (pid, data, start, port, socket,
/// …).
struct PostmasterFile: Equatable, Sendable {
    package let processID: Int32
    let socketFolder: String
    /// Line 8 is `ready` when connections are accepted.
    let isReady: Bool

    package static func path(in data: String) -> String { "\(data)/postmaster.pid" }

    /// Nil where there is none, that is, where PostgreSQL was stopped in order or never started.
    package static func read(in data: String) throws(ClusterError) -> PostmasterFile? {
        let path = path(in: data)
        let text: String
        do throws(SystemError) {
            text = try SmallFile.read(path)
        } catch {
            if error.isMissingFile { return nil }
            throw .unusable(path: path, reason: error.reason)
        }
        guard let file = PostmasterFile(text) else { throw .unreadablePostmasterFile(path) }
        return file
    }

    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // A negative number is a PostgreSQL that serves one session only.
        guard let first = lines.first, let number = Int32(first), number != 0, number != .min else {
            return nil
        }
        processID = abs(number)
        socketFolder = lines.count > 4 ? String(lines[4]) : ""
        isReady = lines.count > 7 && lines[7].split(separator: " ").first == "ready"
    }
}
