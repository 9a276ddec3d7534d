import CLinux
import Glibc

/// The limit of open files: every connection needs a descriptor.
enum OpenFiles {
    /// The number of descriptors that a program has open besides its connections.
    private static let others = 64

    /// Raises the soft limit to the hard one.
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

    /// Throws unless the process may have so many connections, and a few files besides.
    static func require(_ connections: Int) throws(BenchError) {
        guard connections + others <= limit else {
            throw .failed("\(connections) connections need more than the \(limit) open files allowed.")
        }
    }
}
