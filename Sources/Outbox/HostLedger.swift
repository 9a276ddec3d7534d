import Contract

/// The attempts under way for each host, and how reliably the host answers.
struct HostLedger {
    private struct Host {
        var inFlight = 0
        var circuit = Circuit()
        var standing = Standing.unknown
        var meter = HostMeter()
        /// The endpoints that refused since the host last accepted a delivery; no more than
        /// `maximumRefusals`.
        var refusing: Set<Identifier> = []
        /// The instant at which the latest attempt ended.
        var usedAt = Timestamp(seconds: 0)

        /// Whether nothing was sent to the host for a long time, though it was possible.
        func isForgotten(at now: Timestamp) -> Bool {
            let couldBe = max(usedAt, circuit.probe(isUrgent: false) ?? usedAt)
            return inFlight == 0 && couldBe.adding(HostLedger.memory) <= now
        }
    }

    private enum Standing {
        /// The host has not answered yet, or not for a long time.
        case unknown
        /// The host has answered before, but not the last time, or slowly.
        case doubtful
        /// The latest attempt that ended got a quick answer, of whatever kind.
        case proven
    }

    /// The maximum number of hosts that are remembered. Beyond it, hosts without attempts under way are
    /// forgotten.
    package static let capacity = 10_000
    /// The maximum number of hosts without attempts under way that are remembered; `memory` is how long.
    static let idleCapacity = 1_000
    private static let memory = Duration.seconds(600)

    private let configuration: DeliveryWorkerConfiguration
    private var hosts: [String: Host] = [:]
    package private(set) var inFlight = 0
    /// The number of attempts under way for hosts that have no places of their own.
    private var shared = 0
    /// The part of `shared` for hosts that have not shown that they answer.
    private var unproven = 0
    /// The part of `unproven` for hosts that have not answered yet.
    private var unknown = 0
    /// The part of `shared` for hosts that are tried again after a pause.
    private var probing = 0

    init(_ configuration: DeliveryWorkerConfiguration) {
        self.configuration = configuration
    }

    /// Returns how many more deliveries may be claimed for each host; `waiting` returns how many are claimed
    /// and wait. A host that answers, and is `backlogged`, gets some ahead: many or none, so that a claim is
    /// worth its cost.
    package func bounds(at now: Timestamp, backlogged: Set<String> = [], waiting: (String) -> Int)
        -> HostBounds
    {
        var named = Dictionary(uniqueKeysWithValues: configuration.barred.map { ($0, 0) })
        var urgentOnly: Set<String> = []
        for (name, host) in hosts {
            let bound = bound(of: name, host, waiting: waiting(name), at: now)
            if bound > 0, let usual = host.circuit.probe(isUrgent: false), usual > now {
                urgentOnly.insert(name)
            }
            if bound < others || backlogged.contains(name) {
                named[name] = bound
            } else if bound > others {
                named[name] = min(bound, configuration.maximumPerHost)
            }
        }
        return HostBounds(others: others, named: named, urgentOnly: urgentOnly)
    }

    /// The number of deliveries that may be claimed for a host without an entry here.
    private var others: Int { min(configuration.maximumPerHost, configuration.maximumUnknown * 2) }

    /// Forgets the hosts that nothing was sent to for a long time. Called when nothing is under way.
    mutating func forgetIdle(at now: Timestamp) {
        hosts = hosts.filter { !$0.value.isForgotten(at: now) }
        let idle = hosts.filter { $0.value.inFlight == 0 }
        guard idle.count > Self.idleCapacity else { return }
        let oldest = idle.sorted { $0.value.usedAt < $1.value.usedAt }
        for (name, _) in oldest.prefix(idle.count - Self.idleCapacity) { hosts[name] = nil }
    }

    package func bound(of name: String, waiting: Int, at now: Timestamp) -> Int {
        bound(of: name, hosts[name] ?? Host(), waiting: waiting, at: now)
    }

    private func bound(of name: String, _ host: Host, waiting: Int, at now: Timestamp) -> Int {
        switch host.circuit.state {
        case .open, .halfOpen: return max(0, room(name, host, priority: 0, at: now) - waiting)
        case .closed:
            let claimed = host.inFlight + waiting
            let allowance = claimable(name, host, at: now) - waiting
            guard host.standing == .proven else {
                let limit = min(configuration.maximumPerHost, limit(of: name, host.standing) * 2)
                return max(0, min((configuration.limits[name] ?? limit) - claimed, allowance))
            }
            let ahead = configuration.maximumAhead
            let room = configuration.limit(of: name) + ahead - claimed
            return room >= max(1, ahead / 2) ? max(0, min(room, allowance)) : 0
        }
    }

    /// Returns how many deliveries the rate allows to claim; zero while they are too few to be worth a claim.
    private func claimable(_ name: String, _ host: Host, at now: Timestamp) -> Int {
        guard configuration.isMetered(name) else { return .max }
        let allowed = host.meter.allowance(configuration.perHostRate, configuration.perHostBurst, at: now)
        return allowed >= fewest ? allowed : 0
    }

    /// The fewest deliveries that are worth a claim: those of a tenth of a second.
    private var fewest: Int { max(1, configuration.perHostRate / 10) }

    /// Returns the first instant at which an open circuit lets an attempt through, or a host's rate allows a
    /// claim.
    func nextProbe(after now: Timestamp) -> Timestamp? {
        let probes = hosts.values.compactMap { host -> Timestamp? in
            [true, false].compactMap { host.circuit.probe(isUrgent: $0) }.first { $0 > now }
        }
        guard configuration.perHostRate > 0 else { return probes.min() }
        let refills = hosts.compactMap { name, host -> Timestamp? in
            guard configuration.isMetered(name) else { return nil }
            let instant = host.meter.refilled(
                to: fewest, configuration.perHostRate, configuration.perHostBurst)
            return instant > now ? instant : nil
        }
        return (probes + refills).min()
    }

    /// Returns the hosts that are left alone at the moment, or are just being probed. Hosts that could be
    /// probed now are not among them: they may well answer again.
    package func silent(at now: Timestamp) -> [String] {
        hosts.compactMap { name, host in
            switch host.circuit.state {
            case .closed: nil
            case .open(let until, _, _): until > now ? name : nil
            case .halfOpen: name
            }
        }
    }

    /// Whether nothing may be sent to the host at the moment, regardless of the attempts under way.
    func isShut(_ name: String, priority: Int, at now: Timestamp) -> Bool {
        switch hosts[name]?.circuit.state {
        case .closed, nil: false
        case .open(let until, let urgentFrom, _): (priority <= 0 ? urgentFrom : until) > now
        case .halfOpen: true
        }
    }

    /// Whether an attempt at the host may begin.
    package func hasRoom(_ name: String, priority: Int, at now: Timestamp) -> Bool {
        let host = hosts[name] ?? Host()
        guard room(name, host, priority: priority, at: now) > 0 else { return false }
        if configuration.isMetered(name),
            host.meter.allowance(configuration.perHostRate, configuration.perHostBurst, at: now) < 1
        {
            return false
        }
        if configuration.limits[name] != nil { return true }
        let places = priority <= 0 ? configuration.maximumInFlight : configuration.usualPlaces
        let isProbe = host.circuit.probe(isUrgent: true) != nil
        return shared < places && hasPlace(for: host.standing)
            && (!isProbe || probing < configuration.probePlaces)
    }

    private func hasPlace(for standing: Standing) -> Bool {
        switch standing {
        case .proven: true
        case .doubtful: unproven < configuration.unprovenPlaces
        case .unknown: unproven < configuration.unprovenPlaces && unknown < configuration.unknownPlaces
        }
    }

    /// Whether deliveries may have to wait for attempts at other hosts to end.
    var isCrowded: Bool { shared >= configuration.usualPlaces || !hasPlace(for: .unknown) }

    /// Records that an attempt begins.
    package mutating func begin(_ name: String, at now: Timestamp) {
        if hosts.count >= Self.capacity { hosts = hosts.filter { $0.value.inFlight > 0 } }
        var host = hosts[name] ?? Host()
        count(name, host, -1)
        host.circuit.begin()
        host.inFlight += 1
        if configuration.isMetered(name) { host.meter.spend(configuration.perHostRate, at: now) }
        count(name, host, 1)
        hosts[name] = host
    }

    /// Records the end of an attempt; an `outcome` of nil means that it was given up.
    package mutating func end(
        _ name: String, _ outcome: Outcome?, of endpoint: Identifier, after duration: Duration,
        at now: Timestamp
    ) {
        guard var host = hosts[name] else { return }
        count(name, host, -1)
        host.inFlight -= 1
        host.usedAt = now
        let isSoon = duration <= configuration.slowness || configuration.limits[name] != nil
        switch outcome {
        case .delivered:
            host.refusing = []
            host.circuit.succeed()
            host.standing = isSoon ? .proven : .doubtful
        case .refused, .gone:
            host.standing = isSoon ? .proven : .doubtful
            refuse(name, &host, endpoint, at: now)
        case .failed(let failure) where !failure.wasSent: host.circuit.abandon(at: now)
        case .failed(let failure):
            // An answer of one endpoint shows that the host is there.
            if failure.isHostFault {
                let asked = failure.retryAfter.map { min(max($0, .zero), Circuit.longestPause) }
                host.circuit.fail(
                    at: now, until: asked.map { now.adding($0) },
                    longestPause: configuration.longestPause(of: name))
                if host.standing == .proven { host.standing = .doubtful }
                if host.circuit.probe(isUrgent: false) != nil { host.standing = .unknown }
            } else {
                host.standing = isSoon ? .proven : .doubtful
                refuse(name, &host, endpoint, at: now)
            }
        case nil: host.circuit.abandon(at: now)
        }
        count(name, host, 1)
        hosts[name] = host
    }

    /// Records that the host answered, and refused. A host that users name, and that accepts nobody's
    /// deliveries, is left alone as if it did not answer. Each endpoint counts once: a broken one says
    /// nothing of the others.
    private func refuse(_ name: String, _ host: inout Host, _ endpoint: Identifier, at now: Timestamp) {
        guard configuration.isMetered(name) else { return host.circuit.succeed() }
        if host.refusing.count < configuration.maximumRefusals { host.refusing.insert(endpoint) }
        guard host.refusing.count >= configuration.maximumRefusals else {
            return host.circuit.succeed()
        }
        host.circuit.fail(at: now, until: now)
        host.standing = .unknown
    }

    private mutating func count(_ name: String, _ host: Host, _ sign: Int) {
        inFlight += sign * host.inFlight
        guard configuration.limits[name] == nil else { return }
        shared += sign * host.inFlight
        if host.standing != .proven { unproven += sign * host.inFlight }
        if host.standing == .unknown { unknown += sign * host.inFlight }
        if case .halfOpen = host.circuit.state { probing += sign * host.inFlight }
    }

    private func limit(of name: String, _ standing: Standing) -> Int {
        switch standing {
        case .unknown: configuration.unknownLimit(of: name)
        case .doubtful: configuration.unprovenLimit(of: name)
        case .proven: configuration.limit(of: name)
        }
    }

    private func room(_ name: String, _ host: Host, priority: Int, at now: Timestamp) -> Int {
        switch host.circuit.state {
        case .closed:
            return max(0, limit(of: name, host.standing) - host.inFlight)
        // One attempt decides whether there will be more.
        case .open(let until, let urgentFrom, _): return (priority <= 0 ? urgentFrom : until) <= now ? 1 : 0
        case .halfOpen: return 0
        }
    }
}
