import CLinux
import Glibc

/// Descriptors: every connection needs one.
enum OpenFiles {
    /// What a program has open besides its connections.
    private static let others = 64

    /// Raises the limit as far as the process may.
    static func allowAll() {
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
    }

    static var limit: Int {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
            ? Int(limit.rlim_cur) : 1024
    }

    /// Throws where the process may not have so many connections, and a few files besides.
    static func require(_ connections: Int) throws(BenchError) {
        guard connections + others <= limit else {
            throw .failed("\(connections) connections need more than the \(limit) open files allowed.")
        }
    }
}
