import Glibc
import Reactor

/// A folder through which a test makes the statements of servers fail.
///
/// Every site that is passed is added to the file `passed` beside the folder. While the folder has a file
/// `due`, which names ways, the next site fails that has not yet failed in one of them. The server that
/// succeeds in removing the file is the one that fails. Each failure leaves a file `SITE WAY` beside the
/// folder, so that servers that share it see each fault once.
final class FaultFolder: Sendable {
    private let path: String
    private let passed = Lock<Set<StatementSite>>([])

    init(_ path: String) { self.path = path }

    /// Returns the fault that is due at the site now, and marks it as done, so that it does not happen again.
    func due(at site: StatementSite) -> StatementFault? {
        if passed.withLock({ $0.insert(site).inserted }) { append(site.line, to: "\(path)/../passed") }
        guard let ways = read("\(path)/due")?.split(separator: " ") else { return nil }
        for way in ways {
            guard let fault = StatementFault(rawValue: String(way)) else { continue }
            let mark = "\(path)/../\(site.id) \(way)"
            if access(mark, F_OK) == 0 { continue }
            return unlink("\(path)/due") == 0 && make(mark) ? fault : nil
        }
        return nil
    }

    private func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Creates the file; returns false if it exists already.
    private func make(_ path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        return descriptor >= 0 && close(descriptor) == 0
    }

    /// Appends the line in one write, since the servers of one database may share the folder.
    private func append(_ line: String, to path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { _ = close(descriptor) }
        let bytes = Array("\(line)\n".utf8)
        _ = write(descriptor, bytes, bytes.count)
    }
}
