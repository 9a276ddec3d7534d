import Contract

/// What is under way for each host, and how it fares.
struct HostLedger {
    private struct Host {
        var inFlight = 0
        var circuit = Circuit()

        var isForgettable: Bool { inFlight == 0 && circuit.state == .closed(failures: 0) }
    }

    private let limitPerHost: Int
    private var hosts: [String: Host] = [:]
    private(set) var inFlight = 0

    init(limitPerHost: Int) {
        self.limitPerHost = limitPerHost
    }

    /// How much more each host can take now.
    func bounds(at now: Timestamp) -> HostBounds {
        HostBounds(others: limitPerHost, named: hosts.mapValues { free($0, at: now) })
    }

    /// When the first of the open circuits lets an attempt through.
    func nextProbe(after now: Timestamp) -> Timestamp? {
        hosts.values.compactMap { host -> Timestamp? in
            guard case .open(let until, _) = host.circuit.state, until > now else { return nil }
            return until
        }.min()
    }

    /// How many circuits are open.
    var openCircuits: Int {
        hosts.values.count { host in
            switch host.circuit.state {
            case .closed: false
            case .open, .halfOpen: true
            }
        }
    }

    /// Whether an attempt may begin, which is then counted.
    mutating func begin(_ name: String, at now: Timestamp) -> Bool {
        var host = hosts[name] ?? Host()
        guard free(host, at: now) > 0 else { return false }
        host.circuit.begin()
        host.inFlight += 1
        inFlight += 1
        hosts[name] = host
        return true
    }

    /// The attempt is over; nil: given up, without an outcome.
    mutating func end(_ name: String, _ outcome: Outcome?, at now: Timestamp) {
        guard var host = hosts[name] else { return }
        host.inFlight -= 1
        inFlight -= 1
        switch outcome {
        case .delivered, .refused, .gone: host.circuit.succeed()
        case .failed(let failure):
            if failure.isHostFault { host.circuit.fail(at: now) } else { host.circuit.abandon(at: now) }
        case nil: host.circuit.abandon(at: now)
        }
        hosts[name] = host.isForgettable ? nil : host
    }

    private func free(_ host: Host, at now: Timestamp) -> Int {
        switch host.circuit.state {
        case .closed: max(0, limitPerHost - host.inFlight)
        // One attempt decides whether there will be more.
        case .open(let until, _): until <= now ? 1 : 0
        case .halfOpen: 0
        }
    }
}
