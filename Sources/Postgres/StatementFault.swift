#if DEBUG
    import Glibc
    import Reactor

    /// A way in which a statement fails, for tests that failures do no harm. Debug builds only.
    ///
    /// If `LETSSWITCH_FAULTS` names a folder, every site that is passed is added to the file `passed` beside
    /// it. While the folder has a file `due`, which names ways, the next site fails that has not yet failed
    /// in one of them. The server that succeeds in removing the file is the one that fails. Each failure
    /// leaves a file `SITE WAY` beside the folder, so that servers that share it see each fault once.
    enum StatementFault: String, Sendable {
        /// SIGKILL ends the process before the statement is sent, or after it was answered.
        case killedBefore = "killed-before"
        case killedAfter = "killed-after"
        /// The connection breaks before the statement is sent, or after it took effect: then the answer is
        /// lost.
        case lostBefore = "lost-before"
        case lostAfter = "lost-after"
        /// The statement took effect, and no answer comes in time.
        case unanswered
        /// PostgreSQL reports the error in place of the statement.
        case serializationFailure = "40001"
        case deadlock = "40P01"
        case canceled = "57014"
        /// PostgreSQL ends the session in place of the statement.
        case adminShutdown = "57P01"

        var isOfTheServer: Bool {
            switch self {
            case .serializationFailure, .deadlock, .canceled, .adminShutdown: true
            case .killedBefore, .killedAfter, .lostBefore, .lostAfter, .unanswered: false
            }
        }

        private static let folder: String? = ProcessEnvironment.current()["LETSSWITCH_FAULTS"]
        private static let passed = Lock<Set<StatementSite>>([])

        static var isEnabled: Bool { folder != nil }

        /// Returns the fault that is due at the site now, and marks it as done, so that it does not happen
        /// again.
        static func due(at site: StatementSite) -> StatementFault? {
            guard let folder else { return nil }
            if passed.withLock({ $0.insert(site).inserted }) { append(site.line, to: "\(folder)/../passed") }
            guard let ways = read("\(folder)/due")?.split(separator: " ") else { return nil }
            for way in ways {
                guard let fault = StatementFault(rawValue: String(way)) else { continue }
                let mark = "\(folder)/../\(site.id) \(way)"
                if access(mark, F_OK) == 0 { continue }
                return unlink("\(folder)/due") == 0 && make(mark) ? fault : nil
            }
            return nil
        }

        /// Ends this process at once, as the loss of the machine would.
        static func end() -> Never {
            kill(getpid(), SIGKILL)
            while true { pause() }
        }

        private static func read(_ path: String) -> String? {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            defer { _ = close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: 128)
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }

        /// Creates the file; returns false if it exists already.
        private static func make(_ path: String) -> Bool {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            return descriptor >= 0 && close(descriptor) == 0
        }

        /// Appends the line in one write, since the servers of one database may share the folder.
        private static func append(_ line: String, to path: String) {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return }
            defer { _ = close(descriptor) }
            let bytes = Array("\(line)\n".utf8)
            _ = write(descriptor, bytes, bytes.count)
        }
    }
#endif
