#if DEBUG
    import Glibc
    import Reactor

    /// One way in which a statement goes wrong, for whoever wants to see that nothing comes of it. Debug
    /// builds only.
    ///
    /// Where `LETSSWITCH_FAULTS` names a folder, every site that is passed is added to the file `passed`
    /// beside it. While the folder has a file `due`, which names ways, the next site strikes that has not
    /// struck in one of them yet. Removing the file is what decides, so that of several servers one is
    /// struck. What has struck is a file beside the folder, `SITE WAY`: those who share it see each fault
    /// once.
    enum StatementFault: String, Sendable {
        /// The process ends by SIGKILL before the statement is sent, or after it was answered.
        case killedBefore = "killed-before"
        case killedAfter = "killed-after"
        /// The connection breaks before the statement is sent, or after it took effect: then the answer is
        /// lost.
        case lostBefore = "lost-before"
        case lostAfter = "lost-after"
        /// The statement took effect, and no answer came in time.
        case unanswered
        /// PostgreSQL reports it in place of the statement.
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

        /// What is to happen at the site now; it will not happen again.
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

        /// The end of this process, as the loss of the machine would be.
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

        /// False where it is there already.
        private static func make(_ path: String) -> Bool {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            return descriptor >= 0 && close(descriptor) == 0
        }

        /// In one piece: the servers of one database may share the folder.
        private static func append(_ line: String, to path: String) {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return }
            defer { _ = close(descriptor) }
            let bytes = Array("\(line)\n".utf8)
            _ = write(descriptor, bytes, bytes.count)
        }
    }
#endif
