import CLinux
import Glibc

/// Descriptors, of which every connection needs one.
struct OpenFiles {
    /// How many this process may have open.
    let limit: Int

    /// The limit as it is now.
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

    /// As many connections as were asked for, or as there can be: some descriptors are kept for the database,
    /// for the loops themselves, and for connections that are told that there is no room. Where the limit is
    /// so low that these would take most of it, connections have half; the rest of the server then has to
    /// wait now and then.
    func connections(atMost wanted: Int, workers: Int, refusals: Int) -> Int {
        min(wanted, max(limit - Self.reserve(workers: workers, refusals: refusals), limit / 2, 1))
    }

    /// Each loop has epoll, a wake-up and a pool of four; in the background there are one more loop and three
    /// more pools. The rest is for standard streams, the listener, signals, a private database and look-ups
    /// of names.
    private static func reserve(workers: Int, refusals: Int) -> Int { 6 * (workers + 3) + 32 + refusals }
}
