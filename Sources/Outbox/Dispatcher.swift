import Contract
import Reactor

/// The deliveries that a delivery worker has claimed and not settled, and the rule by which they begin.
///
/// A host that answers has at most `maximumPerHost` attempts under way, and at most a quarter as many as
/// places are left; a quarter of all places is for urgent deliveries.
/// A host whose latest attempt got no answer, or that has had none, has one attempt under way, and all such
/// hosts together have at most half of the places.
/// After five attempts in a row without a connection or an answer nothing is sent to the host for five
/// seconds, and after each further one for twice as long, up to five minutes; then one attempt probes it.
/// Urgent deliveries probe it after ten seconds at most.
/// An error is an answer: it holds back deliveries of its endpoint alone, by `due_at` of their rows.
/// A host that users name has at most `perHostRate` attempts a second, in bursts of ten times as many.
/// A claim takes one delivery of a host that does not answer, while fewer than `maximumClaim` wait; of
/// another it takes `maximumAhead` more than may be under way, up to a quarter of all that can still be
/// claimed.
/// It takes at most `maximumPerUser` deliveries of a user, and none while more than half as many have not
/// ended.
struct Dispatcher<Message: Sendable> {
    private let configuration: DeliveryWorkerConfiguration
    private var generator: any RandomNumberGenerator & Sendable
    private var hosts: [String: Host] = [:]
    /// The deliveries that have not begun, by host; the most urgent first.
    private var waiting: [String: [Delivery<Message>]] = [:]
    /// The number of deliveries that are claimed and have not ended, by user.
    private var held: [Identifier: Int] = [:]
    private var waitingCount = 0
    private var inFlight = 0
    /// The number of attempts under way for hosts that have no places of their own.
    private var shared = 0
    /// The part of `shared` for hosts that do not answer, or have not yet.
    private var unanswered = 0
    /// The outcomes of attempts that are not stored yet, in their order.
    private(set) var unsettled: [Settlement] = []
    /// Hosts and users with more due deliveries than the latest claim was allowed to take.
    private var backlogged: (hosts: Set<String>, users: Set<Identifier>) = ([], [])
    /// Whether more is to be claimed as soon as the claim under way is over.
    private var isClaimWanted = false
    private var counts = DeliveryWorkerStatistics()
    /// Whether the latest attempt that was to begin found no descriptor.
    private(set) var lacksDescriptors = false

    init(_ configuration: DeliveryWorkerConfiguration, using generator: any RandomNumberGenerator & Sendable)
    {
        self.configuration = configuration
        self.generator = generator
    }

    func statistics(at now: Timestamp) -> DeliveryWorkerStatistics {
        var statistics = counts
        statistics.inFlight = inFlight
        statistics.openCircuits = silentHosts(at: now).count
        return statistics
    }

    /// Returns the hosts that are left alone at the moment, or are just being probed. Hosts that could be
    /// probed now are not among them: they may well answer again.
    func silentHosts(at now: Timestamp) -> [String] {
        hosts.compactMap { $0.value.isShut(isUrgent: false, at: now) ? $0.key : nil }
    }

    /// The number of deliveries that are claimed and not settled.
    var claimedCount: Int { inFlight + waitingCount + unsettled.count }

    /// The number of deliveries that the next claim may take.
    var room: Int { min(configuration.maximumClaim, configuration.maximumClaimed - claimedCount) }

    // Claiming.

    /// Returns the bounds of the next claim.
    mutating func claimBounds(at now: Timestamp) -> ClaimBounds {
        isClaimWanted = false
        let bounds = bounds(at: now)
        backlogged = (Set(bounds.closed), bounds.served)
        return bounds
    }

    func bounds(at now: Timestamp) -> ClaimBounds {
        let others = bound(of: nil, Host(), at: now)
        var named = Dictionary(uniqueKeysWithValues: configuration.barred.map { ($0, 0) })
        var urgentOnly: Set<String> = []
        let known = configuration.limits.keys.filter { hosts[$0] == nil && named[$0] == nil }
        for (name, host) in known.map({ ($0, Host()) }) + hosts.map({ ($0, $1) }) {
            let bound = bound(of: name, host, at: now)
            if bound != others { named[name] = bound }
            if bound > 0, host.isShut(isUrgent: false, at: now) { urgentOnly.insert(name) }
        }
        return ClaimBounds(
            others: others, named: named, urgentOnly: urgentOnly, perUser: configuration.maximumPerUser,
            served: Set(held.keys.filter { isServed($0) } + usersOfErrors))
    }

    /// The users with errors that do not hold back their endpoints yet, since they are not stored.
    private var usersOfErrors: [Identifier] {
        unsettled.compactMap { $0.askedPause == nil ? nil : $0.user }
    }

    private func isServed(_ user: Identifier) -> Bool { held[user] ?? 0 > configuration.maximumPerUser / 2 }

    /// Returns how many more deliveries may be claimed for a host; no `name`: it is unknown. A host that
    /// answers gets many or none, so that a claim is worth its cost.
    private func bound(of name: String?, _ host: Host, at now: Timestamp) -> Int {
        let waiting = name.flatMap { self.waiting[$0]?.count } ?? 0
        if host.isShut(isUrgent: true, at: now) { return 0 }
        if host.isOpen { return waiting == 0 ? 1 : 0 }
        let allowance = allowance(of: name, host, at: now)
        guard allowance >= fewest else { return 0 }
        let own = name.flatMap { configuration.limits[$0] }
        let claimed = host.underWay + waiting
        guard host.answers || own != nil else {
            // Deliveries to such hosts that wait must not take the room of hosts that answer.
            return unanswered < configuration.unansweredPlaces && waitingCount < configuration.maximumClaim
                ? max(0, min(configuration.maximumUnanswered - claimed, allowance)) : 0
        }
        let most = min(
            (own ?? configuration.maximumPerHost) + configuration.maximumAhead,
            Self.quarter(of: configuration.maximumClaimed - claimedCount))
        let room = most - claimed
        return room >= max(1, min(configuration.maximumAhead, most) / 2) ? min(room, allowance - waiting) : 0
    }

    /// Returns a quarter, rounded up: of what is left there is something for each.
    private static func quarter(of count: Int) -> Int { (count + 3) / 4 }

    private func allowance(of name: String?, _ host: Host, at now: Timestamp) -> Int {
        name.flatMap { configuration.rate(of: $0) }.map { host.allowance($0, at: now) } ?? .max
    }

    /// The fewest deliveries that are worth a claim: those of a tenth of a second.
    private var fewest: Int { max(1, configuration.perHostRate / 10) }

    /// Returns the next instant at which an open breaker lets an attempt through, or a host's rate allows a
    /// claim.
    func nextProbe(after now: Timestamp) -> Timestamp? {
        hosts.flatMap { name, host in
            host.probes
                + (configuration.rate(of: name).map { [host.refilled(to: fewest, $0, at: now)] } ?? [])
        }.filter { $0 > now }.min()
    }

    /// Forgets hosts that nothing was sent to for a long time. Called when nothing is under way.
    mutating func forgetIdleHosts(at now: Timestamp) {
        let idle = hosts.filter { $0.value.underWay == 0 }
            .map { (name: $0.key, usedAt: ($0.value.probes + [$0.value.usedAt]).max() ?? now) }
            .sorted { $0.usedAt > $1.usedAt }
        for (place, host) in idle.enumerated()
        where place >= Host.idleCapacity || host.usedAt.adding(Host.memory) <= now {
            hosts[host.name] = nil
        }
    }

    /// Adds the deliveries that were claimed within the bounds.
    mutating func add(_ claimed: [Delivery<Message>], within bounds: ClaimBounds) {
        var ofHosts: [String: Int] = [:]
        var ofUsers: [Identifier: Int] = [:]
        for delivery in claimed {
            let queue = waiting[delivery.host] ?? []
            let before = queue.lastIndex { $0.priority <= delivery.priority }
            waiting[delivery.host, default: []].insert(delivery, at: before.map { $0 + 1 } ?? 0)
            held[delivery.user, default: 0] += 1
            ofHosts[delivery.host, default: 0] += 1
            ofUsers[delivery.user, default: 0] += 1
        }
        waitingCount += claimed.count
        backlogged.hosts.formUnion(ofHosts.filter { $0.value >= bounds[$0.key] }.keys)
        backlogged.users.formUnion(ofUsers.filter { $0.value >= bounds.perUser }.keys)
    }

    // Attempting.

    /// Begins the next attempt at this host, if the host has room. Deliveries that have expired, and all of a
    /// host that takes nothing at the moment, are settled on the way.
    mutating func next(for host: String, at now: Timestamp) -> Delivery<Message>? {
        while let first = waiting[host]?.first {
            if hosts[host]?.isShut(isUrgent: first.priority <= 0, at: now) ?? false {
                postpone(waiting[host] ?? [], "its host does not answer", at: now)
                return nil
            }
            guard hasRoom(host, priority: first.priority, at: now) else { return nil }
            if let expiresAt = first.expiresAt, expiresAt <= now {
                remove(first)
                settle(first, .expired, Text(.tooLate), at: now)
                continue
            }
            guard takeDescriptors(for: host) else { return nil }
            remove(first)
            if hosts.count >= Host.capacity { hosts = hosts.filter { $0.value.underWay > 0 } }
            change(host) { $0.begin(rate: $1.rate(of: host), at: now) }
            return first
        }
        return nil
    }

    /// Begins the next attempt at the host whose next delivery is the most urgent.
    mutating func next(at now: Timestamp) -> Delivery<Message>? {
        lacksDescriptors = false
        while true {
            var best: (host: String, priority: Int)?
            for (host, queue) in waiting {
                guard let priority = queue.first?.priority, priority < best?.priority ?? .max,
                    !(lacksDescriptors && needsDescriptors(host)), hasRoom(host, priority: priority, at: now)
                else { continue }
                best = (host, priority)
            }
            guard let best else { return nil }
            if let delivery = next(for: best.host, at: now) { return delivery }
        }
    }

    /// Whether an attempt at the host may begin.
    private func hasRoom(_ name: String, priority: Int, at now: Timestamp) -> Bool {
        let host = hosts[name] ?? Host()
        guard !host.isShut(isUrgent: priority <= 0, at: now), allowance(of: name, host, at: now) >= 1
        else { return false }
        if let own = configuration.limits[name] { return host.isOpen || host.underWay < own }
        let places = priority <= 0 ? configuration.maximumInFlight : configuration.usualPlaces
        let free = max(0, places - shared)
        if host.answers { return host.underWay < min(configuration.maximumPerHost, Self.quarter(of: free)) }
        let limit = min(configuration.maximumPerHost, configuration.maximumUnanswered)
        return free > 0 && unanswered < configuration.unansweredPlaces
            && (host.isOpen || host.underWay < limit)
    }

    /// Whether deliveries may have to wait for attempts at other hosts to end.
    private var isCrowded: Bool {
        shared >= configuration.usualPlaces || unanswered >= configuration.unansweredPlaces
            || waitingCount >= configuration.maximumClaim
    }

    /// Changes the host, and with it the sums over all hosts.
    private mutating func change(
        _ name: String, _ body: (inout Host, DeliveryWorkerConfiguration) -> Void
    ) {
        let before = hosts[name] ?? Host()
        var host = before
        body(&host, configuration)
        hosts[name] = host
        inFlight += host.underWay - before.underWay
        guard configuration.limits[name] == nil else { return }
        shared += host.underWay - before.underWay
        unanswered += (host.answers ? 0 : host.underWay) - (before.answers ? 0 : before.underWay)
    }

    /// Whether each attempt at the host has a connection of its own.
    private func needsDescriptors(_ host: String) -> Bool { configuration.limits[host] == nil }

    private mutating func takeDescriptors(for host: String) -> Bool {
        guard needsDescriptors(host), let descriptors = configuration.descriptors else { return true }
        lacksDescriptors = !descriptors.take()
        return !lacksDescriptors
    }

    /// Records the end of an attempt. Returns the delivery to attempt next, if there is room and `goesOn`,
    /// and whether the worker has to look for more.
    mutating func ended(
        _ delivery: Delivery<Message>, _ outcome: Outcome, after duration: Duration, at now: Timestamp,
        goesOn: Bool
    ) -> (next: Delivery<Message>?, wakes: Bool) {
        let wasCrowded = isCrowded || lacksDescriptors
        end(delivery, outcome, at: now)
        let verdict = configuration.schedule.verdict(
            on: outcome, attempts: delivery.attempts + 1, expiresAt: delivery.expiresAt, at: now,
            using: &generator)
        settle(delivery, verdict, outcome.detail, at: now, duration: duration, of: outcome)
        if outcome.askedPause != nil {
            let others = waiting[delivery.host]?.filter { $0.endpoint == delivery.endpoint } ?? []
            postpone(others, "its endpoint takes nothing at the moment", at: now)
        }
        if let first = waiting[delivery.host]?.first,
            hosts[delivery.host]?.isShut(isUrgent: first.priority <= 0, at: now) ?? false
        {
            postpone(waiting[delivery.host] ?? [], "its host does not answer", at: now)
        }
        guard goesOn else { return (nil, false) }
        let following = (wasCrowded ? nil : next(for: delivery.host, at: now)) ?? next(at: now)
        return (following, wantsClaim(after: delivery, wasCrowded: wasCrowded, at: now))
    }

    /// Records an attempt that was given up: its outcome is unknown, and nothing is stored.
    mutating func gaveUp(_ delivery: Delivery<Message>, at now: Timestamp) {
        end(delivery, nil, at: now)
        release(delivery)
    }

    private mutating func end(_ delivery: Delivery<Message>, _ outcome: Outcome?, at now: Timestamp) {
        if needsDescriptors(delivery.host) { configuration.descriptors?.giveBack() }
        change(delivery.host) {
            $0.end(outcome, longestPause: $1.longestPause(of: delivery.host), at: now)
        }
    }

    /// Whether the worker has to claim more for a host or a user with room again, or to begin deliveries that
    /// wait for it. True once for each claim.
    private mutating func wantsClaim(
        after delivery: Delivery<Message>, wasCrowded: Bool, at now: Timestamp
    ) -> Bool {
        if isClaimWanted { return false }
        let name = delivery.host
        isClaimWanted =
            wasCrowded && !isCrowded
            || (waiting[name]?.first.map { hasRoom(name, priority: $0.priority, at: now) } ?? false)
            || backlogged.hosts.contains(name) && bound(of: name, hosts[name] ?? Host(), at: now) > 0
            || backlogged.users.contains(delivery.user) && !isServed(delivery.user)
        return isClaimWanted
    }

    // Settling.

    /// Gives back all deliveries that have not begun, for other servers.
    mutating func postponeWaiting(at now: Timestamp) {
        postpone(waiting.values.flatMap(\.self), "this server stops", at: now)
    }

    /// Removes the first `count` outcomes, which are stored now.
    mutating func settled(_ count: Int) { unsettled.removeFirst(count) }

    /// Forgets all waiting deliveries, and returns the outcomes that are not stored. Called when nothing is
    /// under way.
    mutating func giveUp() -> [Settlement] {
        defer { (waiting, waitingCount, held, unsettled) = ([:], 0, [:], []) }
        return unsettled
    }

    private mutating func postpone(_ deliveries: [Delivery<Message>], _ detail: Text, at now: Timestamp) {
        for delivery in deliveries {
            remove(delivery)
            settle(delivery, .postponed, detail, at: now)
        }
    }

    /// Removes a waiting delivery.
    private mutating func remove(_ delivery: Delivery<Message>) {
        waiting[delivery.host]?.removeAll { $0.id == delivery.id }
        if waiting[delivery.host]?.isEmpty ?? false { waiting[delivery.host] = nil }
        waitingCount -= 1
    }

    private mutating func release(_ delivery: Delivery<Message>) {
        let rest = (held[delivery.user] ?? 1) - 1
        held[delivery.user] = rest > 0 ? rest : nil
    }

    private mutating func settle(
        _ delivery: Delivery<Message>, _ verdict: Verdict, _ detail: Text, at instant: Timestamp,
        duration: Duration? = nil, of outcome: Outcome? = nil
    ) {
        release(delivery)
        unsettled.append(
            Settlement(
                delivery: delivery.id, endpoint: delivery.endpoint, user: delivery.user, verdict: verdict,
                detail: detail, at: instant, duration: outcome?.wasSent ?? false ? duration : nil,
                countsAgainstEndpoint: outcome?.countsAgainstEndpoint ?? true,
                askedPause: outcome?.askedPause, registeredAt: delivery.registeredAt))
        counts.count(verdict)
    }
}
