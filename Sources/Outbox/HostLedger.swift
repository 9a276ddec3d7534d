import Contract

/// What is under way for each host, and how it fares.
struct HostLedger {
    private struct Host {
        var inFlight = 0
        var circuit = Circuit()
        /// Whether the latest attempt that ended got an answer soon, of whatever kind.
        var isProven = false

        var isWell: Bool { inFlight == 0 && circuit.state == .closed(failures: 0) }
    }

    /// Hosts that are remembered. Beyond that those are forgotten where nothing is under way.
    static let capacity = 10_000

    private let configuration: CourierConfiguration
    private var hosts: [String: Host] = [:]
    private(set) var inFlight = 0
    /// Of hosts that have no places of their own.
    private var shared = 0
    /// And of these, of hosts that have not shown that they answer.
    private var unproven = 0

    init(_ configuration: CourierConfiguration) {
        self.configuration = configuration
    }

    /// How many more may be claimed for each host; `waiting` says how many are and wait. A host that answers, and is
    /// `hungry`, gets some ahead, so that a claim is worth its while: no few of them, but many or none.
    func bounds(at now: Timestamp, hungry: Set<String> = [], waiting: (String) -> Int) -> HostBounds {
        var named = Dictionary(uniqueKeysWithValues: configuration.barred.map { ($0, 0) })
        var urgentOnly: Set<String> = []
        for (name, host) in hosts {
            let bound = bound(of: name, host, waiting: waiting(name), at: now)
            if bound > 0, let usual = host.circuit.probe(isUrgent: false), usual > now {
                urgentOnly.insert(name)
            }
            if bound < others || hungry.contains(name) {
                named[name] = bound
            } else if bound > others {
                named[name] = min(bound, configuration.maximumPerHost)
            }
        }
        return HostBounds(others: others, named: named, urgentOnly: urgentOnly)
    }

    /// What is claimed for a host that has not shown that it answers.
    private var others: Int { min(configuration.maximumPerHost, configuration.maximumUnproven * 2) }

    /// Forgets all that are well. When nothing is under way.
    mutating func forgetWell() { hosts = hosts.filter { !$0.value.isWell } }

    func bound(of name: String, waiting: Int, at now: Timestamp) -> Int {
        bound(of: name, hosts[name] ?? Host(), waiting: waiting, at: now)
    }

    private func bound(of name: String, _ host: Host, waiting: Int, at now: Timestamp) -> Int {
        switch host.circuit.state {
        case .open, .halfOpen: return max(0, room(name, host, priority: 0, at: now) - waiting)
        case .closed:
            let claimed = host.inFlight + waiting
            guard host.isProven else {
                let limit = configuration.limits[name] ?? others
                return max(0, limit - claimed)
            }
            let ahead = configuration.maximumAhead
            let room = configuration.limit(of: name) + ahead - claimed
            return room >= max(1, ahead / 2) ? room : 0
        }
    }

    /// When the first of the open circuits lets an attempt through.
    func nextProbe(after now: Timestamp) -> Timestamp? {
        hosts.values.compactMap { host -> Timestamp? in
            [true, false].compactMap { host.circuit.probe(isUrgent: $0) }.first { $0 > now }
        }.min()
    }

    /// How many circuits are open.
    var openCircuits: Int { silent.count }

    /// Those whose circuit is open.
    var silent: [String] {
        hosts.compactMap { name, host in
            switch host.circuit.state {
            case .closed: nil
            case .open, .halfOpen: name
            }
        }
    }

    /// Whether nothing may be sent to the host at the moment, whatever is under way.
    func isShut(_ name: String, priority: Int, at now: Timestamp) -> Bool {
        switch hosts[name]?.circuit.state {
        case .closed, nil: false
        case .open(let until, let urgentFrom, _): (priority <= 0 ? urgentFrom : until) > now
        case .halfOpen: true
        }
    }

    /// Whether an attempt may begin.
    func hasRoom(_ name: String, priority: Int, at now: Timestamp) -> Bool {
        let host = hosts[name] ?? Host()
        guard room(name, host, priority: priority, at: now) > 0 else { return false }
        if configuration.limits[name] != nil { return true }
        let places = priority <= 0 ? configuration.maximumInFlight : configuration.usualPlaces
        return shared < places && (host.isProven || unproven < configuration.unprovenPlaces)
    }

    /// Whether some wait for others to end.
    var isCrowded: Bool { shared >= configuration.usualPlaces || unproven >= configuration.unprovenPlaces }

    /// An attempt begins.
    mutating func begin(_ name: String) {
        if hosts.count >= Self.capacity { hosts = hosts.filter { $0.value.inFlight > 0 } }
        var host = hosts[name] ?? Host()
        count(name, host, -1)
        host.circuit.begin()
        host.inFlight += 1
        count(name, host, 1)
        hosts[name] = host
    }

    /// The attempt is over; nil: given up, without an outcome.
    mutating func end(_ name: String, _ outcome: Outcome?, after duration: Duration, at now: Timestamp) {
        guard var host = hosts[name] else { return }
        count(name, host, -1)
        host.inFlight -= 1
        let isSoon = duration <= configuration.slowness || configuration.limits[name] != nil
        switch outcome {
        case .delivered, .refused, .gone:
            host.circuit.succeed()
            host.isProven = isSoon
        case .failed(let failure) where !failure.wasSent: host.circuit.abandon(at: now)
        case .failed(let failure):
            // What one endpoint answers says of the host that it is there.
            if failure.isHostFault {
                let asked = failure.retryAfter.map { min(max($0, .zero), Circuit.longestPause) }
                host.circuit.fail(
                    at: now, until: asked.map { now.adding($0) },
                    longestPause: configuration.longestPause(of: name))
            } else {
                host.circuit.succeed()
            }
            host.isProven = isSoon && !failure.isHostFault
        case nil: host.circuit.abandon(at: now)
        }
        count(name, host, 1)
        hosts[name] = host
    }

    private mutating func count(_ name: String, _ host: Host, _ sign: Int) {
        inFlight += sign * host.inFlight
        guard configuration.limits[name] == nil else { return }
        shared += sign * host.inFlight
        if !host.isProven { unproven += sign * host.inFlight }
    }

    private func room(_ name: String, _ host: Host, priority: Int, at now: Timestamp) -> Int {
        switch host.circuit.state {
        case .closed:
            let limit = host.isProven ? configuration.limit(of: name) : configuration.unprovenLimit(of: name)
            return max(0, limit - host.inFlight)
        // One attempt decides whether there will be more.
        case .open(let until, let urgentFrom, _): return (priority <= 0 ? urgentFrom : until) <= now ? 1 : 0
        case .halfOpen: return 0
        }
    }
}
