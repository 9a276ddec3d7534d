import CLinux
import Codecs
import Glibc
import Logging
import Reactor
import Settings

/// The reserves of the descriptor budget at a limit of open files.
struct DescriptorPlan {
    /// The fewest connections with which the server starts.
    static let fewestConnections = 32
    /// The descriptors of the process that no work takes or gives back, and the most that each has:
    /// standard streams 3, listeners 3, signals and timers 4, files 3, the three libcurl sessions 9, the
    /// collector of traces 3, pushes to Apple's two services 12, a private database 3.
    static let fixed = 3 + 3 + 4 + 3 + 9 + 3 + 12 + 3

    private typealias Holder = DescriptorBudget.Holder

    /// The limit of open files.
    let limit: Int
    /// The descriptors that are reserved for each holder.
    let reserved: [DescriptorBudget.Holder: Int]
    /// The most connections at the public address: MAX_CONNECTIONS, or fewer if other holders have reserved
    /// the descriptors.
    let connections: Int

    /// Throws `StartFailure` if the limit is too low for the settings.
    init(limit: Int, _ configuration: ServerConfiguration) throws(StartFailure) {
        self.limit = limit
        let capacity = DescriptorBudget.capacity(at: limit)
        let listeners = [true, configuration.internalPort != nil, configuration.adminPort != nil].count { $0 }
        var reserved: [Holder: Int] = [
            // Each loop has an epoll, a wake-up and perhaps a ring, and there are two in the background. Each
            // worker may have accepted one connection of each listener that is not counted yet.
            .files: 3 * (configuration.workers + 2) + configuration.workers * listeners + Self.fixed,
            .database: configuration.databaseConnections,
        ]
        let rest = max(0, capacity - reserved.values.reduce(0, +))
        reserved[.deliveries] = min(max(rest / 16, 4 * Holder.deliveries.each), 256)
        reserved[.lookUps] = min(max(rest / 32, 2 * Holder.lookUps.each), 256)
        reserved[.names] = min(max(rest / 64, 4 * Holder.names.each), 64)
        reserved[.calls] = min(max(rest / 64, 8), 64)
        reserved[.tunnels] = min(max(rest / 32, 4), 256)
        reserved[.refusals] = min(max(rest / 64, 4), 64)
        if configuration.internalPort != nil {
            reserved[.internalConnections] = min(max(rest / 16, 8), 1_024)
        }
        if configuration.adminPort != nil { reserved[.deskConnections] = min(max(rest / 32, 8), 64) }
        let taken = reserved.values.reduce(0, +)
        let fewest = min(configuration.maxConnections, Self.fewestConnections)
        guard capacity - taken >= fewest else {
            let needed = limit - capacity + taken + fewest
            throw StartFailure(
                "The limit of open files is \(limit), and these settings need at least \(needed): "
                    + "\(configuration.databaseConnections) for DATABASE_CONNECTIONS, "
                    + "\(fewest) for connections, and \(needed - configuration.databaseConnections - fewest) "
                    + "for WORKERS=\(configuration.workers) and the rest of the server. "
                    + "Raise the limit (ulimit -n, LimitNOFILE= of systemd), or lower the settings.")
        }
        connections = min(configuration.maxConnections, capacity - taken)
        reserved[.connections] = fewest
        self.reserved = reserved
    }

    /// Raises the limit as far as an unprivileged process may.
    static func raiseLimit() {
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
    }

    /// Bounds the budget of the process, and takes what the server has all the time.
    func open(on loop: EventLoop) {
        let budget = DescriptorBudget.process
        let notice = DescriptorNotice()
        budget.open(limit: limit, reserved: reserved, on: loop) { notice.ranOut($0) }
        budget.whenRecovered { notice.recovered() }
        for holder in [Holder.files, .database] {
            _ = budget.take(reserved[holder] ?? 0, for: holder)
        }
    }
}

/// The log lines about descriptors that have run out: at most one in a minute.
private final class DescriptorNotice: Sendable {
    private struct State {
        var notices = RateMeter()
        var isTold = false
    }

    private let state = Lock(State())

    func ranOut(_ held: [DescriptorBudget.Holder: Int]) {
        let now = Monotonic.nanoseconds()
        let isDue = state.withLock { state in
            guard state.notices.take(of: .onceAMinute, at: now) else { return false }
            state.isTold = true
            return true
        }
        guard isDue else { return }
        let held = DescriptorBudget.Holder.allCases.map { "\($0.name) \(held[$0] ?? 0)" }
        Log.warning(
            "file descriptors ran out; new connections, deliveries and look-ups wait; raise LimitNOFILE",
            ["limit": DescriptorBudget.limit, "held": held.joined(separator: ", ")])
    }

    func recovered() {
        let wasTold = state.withLock { state in
            defer { state.isTold = false }
            return state.isTold
        }
        if wasTold { Log.info("file descriptors are free again") }
    }
}
