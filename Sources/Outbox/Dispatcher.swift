import Contract
import Reactor

/// The deliveries that a delivery worker has claimed and not settled yet, and the choice of those that may be
/// attempted now.
///
/// A slow host delays no other: each host has a bound and a circuit breaker of its own, and each endpoint has
/// a circuit breaker. The value decides; the worker attempts and stores.
struct Dispatcher<Message: Sendable> {
    private let configuration: DeliveryWorkerConfiguration
    private var generator: any RandomNumberGenerator & Sendable
    private var hosts: HostLedger
    private var endpoints = EndpointLedger()
    private var backlog = Backlog<Message>()
    /// The outcomes of attempts that are not stored yet, in their order.
    private(set) var unsettled: [Settlement] = []
    /// Hosts with more due deliveries than the latest claim was allowed to take.
    private var backlogged: Set<String> = []
    /// Whether more is to be claimed as soon as the claim under way is over.
    private var isClaimWanted = false
    private var counts = DeliveryWorkerStatistics()
    /// Whether the latest attempt that was to begin found no descriptor.
    private(set) var lacksDescriptors = false

    init(_ configuration: DeliveryWorkerConfiguration, using generator: any RandomNumberGenerator & Sendable)
    {
        self.configuration = configuration
        self.generator = generator
        hosts = HostLedger(configuration)
    }

    func statistics(at now: Timestamp) -> DeliveryWorkerStatistics {
        var statistics = counts
        statistics.inFlight = hosts.inFlight
        statistics.openCircuits = silentHosts(at: now).count
        return statistics
    }

    /// Returns the hosts that do not answer at the moment.
    func silentHosts(at now: Timestamp) -> [String] { hosts.silent(at: now) }

    /// The number of deliveries that are claimed and not settled.
    var claimedCount: Int { hosts.inFlight + backlog.count + unsettled.count }

    /// The number of deliveries that the next claim may take.
    var room: Int { min(configuration.maximumClaim, configuration.maximumClaimed - claimedCount) }

    // Claiming.

    /// Returns the number of deliveries of each host that the next claim may take.
    mutating func claimBounds(at now: Timestamp) -> HostBounds {
        isClaimWanted = false
        return hosts.bounds(at: now, backlogged: backlogged) { backlog.count(of: $0) }
    }

    /// Returns the bounds for a look at due deliveries while none waits.
    func idleBounds(at now: Timestamp) -> HostBounds { hosts.bounds(at: now) { _ in 0 } }

    /// Returns the next instant at which an open circuit lets an attempt through, or a host's rate allows a
    /// claim.
    func nextProbe(after now: Timestamp) -> Timestamp? { hosts.nextProbe(after: now) }

    mutating func forgetIdleHosts(at now: Timestamp) { hosts.forgetIdle(at: now) }

    /// Adds the deliveries that were claimed within the bounds.
    mutating func add(_ claimed: [Delivery<Message>], _ bounds: HostBounds) {
        var counts: [String: Int] = [:]
        for delivery in claimed { counts[delivery.host, default: 0] += 1 }
        backlogged = Set(bounds.named.filter { $0.value <= 0 }.keys)
        for (host, count) in counts where count >= bounds[host] { backlogged.insert(host) }
        for delivery in claimed { backlog.add(delivery) }
    }

    // Attempting.

    /// Begins the next attempt at this host, if the host has room. Deliveries that have expired, and those of
    /// endpoints and hosts that take nothing at the moment, are settled on the way.
    mutating func next(for host: String, at now: Timestamp) -> Delivery<Message>? {
        if hosts.isShut(host, priority: backlog.priority(of: host) ?? .max, at: now) {
            for delivery in backlog.removeAll(of: host) {
                settle(delivery, .postponed, "its host does not answer", at: now)
            }
        }
        while let priority = backlog.priority(of: host), hosts.hasRoom(host, priority: priority, at: now) {
            guard takeDescriptors(for: host) else { return nil }
            guard let delivery = backlog.next(for: host) else {
                giveBackDescriptors(of: host)
                return nil
            }
            if let expiresAt = delivery.expiresAt, expiresAt <= now {
                giveBackDescriptors(of: host)
                settle(delivery, .expired, Text(.tooLate), at: now)
            } else if let until = endpoints.shutUntil(
                delivery.endpoint, priority: delivery.priority, at: now)
            {
                giveBackDescriptors(of: host)
                settle(
                    delivery, .deferred(until: until), "its endpoint takes nothing at the moment", at: now)
            } else {
                endpoints.begin(delivery.endpoint)
                hosts.begin(host, at: now)
                return delivery
            }
        }
        return nil
    }

    /// Begins the next attempt at the host whose next delivery is the most urgent.
    mutating func next(at now: Timestamp) -> Delivery<Message>? {
        lacksDescriptors = false
        while let host = backlog.mostUrgentHost(where: {
            hosts.hasRoom($0, priority: $1, at: now) && !(lacksDescriptors && needsDescriptors($0))
        }) {
            if let delivery = next(for: host, at: now) { return delivery }
        }
        return nil
    }

    /// Whether each attempt at the host has a connection of its own.
    private func needsDescriptors(_ host: String) -> Bool { configuration.limits[host] == nil }

    private mutating func takeDescriptors(for host: String) -> Bool {
        guard needsDescriptors(host), let descriptors = configuration.descriptors else { return true }
        lacksDescriptors = !descriptors.take()
        return !lacksDescriptors
    }

    private func giveBackDescriptors(of host: String) {
        if needsDescriptors(host) { configuration.descriptors?.giveBack() }
    }

    /// Records the end of an attempt. Returns the delivery to attempt next, if there is room and `goesOn`,
    /// and whether the worker has to look for more.
    mutating func ended(
        _ delivery: Delivery<Message>, _ outcome: Outcome, after duration: Duration, at now: Timestamp,
        goesOn: Bool
    ) -> (next: Delivery<Message>?, wakes: Bool) {
        let wasCrowded = hosts.isCrowded || lacksDescriptors
        giveBackDescriptors(of: delivery.host)
        hosts.end(delivery.host, outcome, of: delivery.endpoint, after: duration, at: now)
        endpoints.end(delivery.endpoint, outcome, at: now)
        let verdict = configuration.schedule.verdict(
            on: outcome, attempts: delivery.attempts + 1, expiresAt: delivery.expiresAt, at: now,
            using: &generator)
        settle(
            delivery, verdict, outcome.detail, at: now, duration: outcome.wasSent ? duration : nil,
            countsAgainstEndpoint: outcome.countsAgainstEndpoint)
        guard goesOn else { return (nil, false) }
        let following = (wasCrowded ? nil : next(for: delivery.host, at: now)) ?? next(at: now)
        return (following, wantsClaim(delivery.host, wasCrowded: wasCrowded, at: now))
    }

    /// Records an attempt that was given up: its outcome is unknown, and nothing is stored.
    mutating func gaveUp(_ delivery: Delivery<Message>, after duration: Duration, at now: Timestamp) {
        giveBackDescriptors(of: delivery.host)
        endpoints.end(delivery.endpoint, nil, at: now)
        hosts.end(delivery.host, nil, of: delivery.endpoint, after: duration, at: now)
    }

    /// Whether the worker has to claim more for a host that has room again, or to begin deliveries that wait
    /// for it. True once for each claim.
    private mutating func wantsClaim(_ host: String, wasCrowded: Bool, at now: Timestamp) -> Bool {
        if isClaimWanted { return false }
        let waiting = backlog.count(of: host)
        isClaimWanted =
            wasCrowded && !hosts.isCrowded && backlog.count > 0
            || (backlog.priority(of: host).map { hosts.hasRoom(host, priority: $0, at: now) } ?? false)
            || backlogged.contains(host) && hosts.bound(of: host, waiting: waiting, at: now) > 0
        return isClaimWanted
    }

    // Settling.

    /// Gives back all deliveries that have not begun, for other servers.
    mutating func postponeWaiting(at now: Timestamp) {
        for delivery in backlog.removeAll() { settle(delivery, .postponed, "this server stops", at: now) }
    }

    /// Removes the first `count` outcomes, which are stored now.
    mutating func settled(_ count: Int) { unsettled.removeFirst(count) }

    /// Forgets all waiting deliveries, and returns the outcomes that are not stored.
    mutating func giveUp() -> [Settlement] {
        backlog.removeAll()
        defer { unsettled = [] }
        return unsettled
    }

    private mutating func settle(
        _ delivery: Delivery<Message>, _ verdict: Verdict, _ detail: Text, at instant: Timestamp,
        duration: Duration? = nil, countsAgainstEndpoint: Bool = true
    ) {
        unsettled.append(
            Settlement(
                delivery: delivery.id, endpoint: delivery.endpoint, verdict: verdict, detail: detail,
                at: instant, duration: duration, countsAgainstEndpoint: countsAgainstEndpoint,
                registeredAt: delivery.registeredAt))
        counts.count(verdict)
    }
}
