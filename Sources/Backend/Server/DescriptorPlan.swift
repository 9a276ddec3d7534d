import CLinux
import Glibc

/// The file descriptors of the process, of which every connection needs one.
struct OpenFiles {
    /// The number of descriptors that this process may have open.
    let limit: Int

    /// The current limit.
    static var current: OpenFiles {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return OpenFiles(limit: 1024)
        }
        return OpenFiles(limit: Int(clamping: limit.rlim_cur))
    }

    /// Raises the limit as far as an unprivileged process may.
    static func allowAll() {
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
    }

    /// Returns the number of connections that are possible, at most `wanted`. Some descriptors are reserved
    /// for the database, the loops, and connections that are refused with an answer. If the limit is so low
    /// that these would take most of it, connections get half; the rest of the server then has to wait at
    /// times.
    func connections(atMost wanted: Int, workers: Int, database: Int, refusals: Int) -> Int {
        // Each loop has epoll, a wake-up and perhaps a ring, and there are three loops in the background. The
        // rest is for standard streams, the listener, signals, a private database and name look-ups.
        let reserved = 3 * (workers + 3) + database + 32 + refusals
        return min(wanted, max(limit - reserved, limit / 2, 1))
    }
}
