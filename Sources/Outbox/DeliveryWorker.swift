import Contract

/// What a store can fail at, as the operator is told.
private enum Trouble: String {
    case claiming = "deliveries are claimed later"
    case settling = "what came of deliveries is stored later"
    case renewing = "the courier's lease is not prolonged"
    case looking = "deliveries are looked for later"
}

/// Claims what is due, delivers it, and settles what came of it; at least once, and in harmless doubt twice:
/// where the courier dies between delivering and settling, another one delivers again, under the same id.
///
/// A slow host delays nobody: each has a bound of its own, and a circuit. Nothing is attempted after this
/// courier's lease may have ended. Without anything to do it has none, and asks the store hardly ever.
package actor DeliveryWorker<Store: OutboxStore, Destination: Sink>
where Store.Message == Destination.Message {
    private typealias Parcel = Delivery<Store.Message>

    private let store: Store
    private let sink: Destination
    private let clock: any OutboxClock
    private let configuration: DeliveryWorkerConfiguration
    /// Hears of what the store fails at, once until it goes well again.
    private let warn: @Sendable (String, any Error) -> Void
    private var troubles: Set<Trouble> = []
    /// There may be more to claim.
    private let wakeSignal: WakeSignal
    /// There is something to settle.
    private let settlementSignal: WakeSignal
    /// Something was settled, or given up, after the end was announced.
    private let drainSignal: WakeSignal
    /// Nothing more is begun.
    private var isDraining = false
    private var generator: any RandomNumberGenerator & Sendable
    private var hosts: HostLedger
    private var endpoints = EndpointLedger()
    private var backlog = Backlog<Store.Message>()
    private var statistics = DeliveryWorkerStatistics()
    /// What came of attempts and is not stored yet.
    private var unsettled: [Settlement] = []
    /// Hosts that more may wait for than the latest claim was allowed to take.
    private var backlogged: Set<String> = []
    /// The latest claim could take nothing, for so much was claimed already.
    private var isFull = false
    /// More is to be claimed as soon as the claim under way is over.
    private var isAsking = false
    /// Until when what was claimed is surely ours, by a clock that nobody sets. Nil: it is not.
    private var leasedUntil: Duration?
    /// When to look again, without a hint.
    private var wakeAt: Timestamp

    package init(
        store: Store, sink: Destination, clock: any OutboxClock,
        configuration: DeliveryWorkerConfiguration = DeliveryWorkerConfiguration(),
        using generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        warn: @escaping @Sendable (String, any Error) -> Void = { _, _ in }
    ) {
        self.store = store
        self.sink = sink
        self.clock = clock
        self.configuration = configuration
        self.generator = generator
        self.warn = warn
        hosts = HostLedger(configuration)
        wakeSignal = WakeSignal(clock: clock)
        settlementSignal = WakeSignal(clock: clock)
        drainSignal = WakeSignal(clock: clock)
        wakeAt = clock.now()
    }

    package var figures: DeliveryWorkerStatistics {
        var figures = statistics
        figures.inFlight = hosts.inFlight
        figures.openCircuits = silentHosts.count
        return figures
    }

    /// The hosts that do not answer at the moment.
    package var silentHosts: [String] { hosts.silent(at: clock.now()) }

    /// A hint that something is due. Where it is lost, everything happens a little later.
    package nonisolated func ring() { wakeSignal.ring() }

    /// Begins nothing more, gives back what has not begun, and returns when the attempts under way are over
    /// and stored; after so long at the latest. `run` does that work, and ends with it.
    package func drain(for longest: Duration) async {
        isDraining = true
        postponeWaiting()
        wakeSignal.ring()
        let end = clock.now().adding(longest)
        while claimedCount > 0 {
            guard await drainSignal.wait(until: end) else { return }
        }
    }

    /// Works until it is drained or its task is cancelled. Attempts under way are given up where it is
    /// cancelled, and made again when the lease is over.
    package func run() async {
        var isDue = true
        while !Task.isCancelled, !isDraining {
            if isDue {
                guard await takeLease() else {
                    _ = await wakeSignal.wait(until: clock.now().adding(configuration.renewal))
                    continue
                }
                // What was given up is claimed again under the next lease.
                guard await workWhileLeased() else { continue }
            }
            isDue = await wakeSignal.wait(until: wakeAt)
            if !isDue, !Task.isCancelled { isDue = await somethingIsDue() }
        }
    }

    /// Returns true when there is nothing to do; false when the lease is over, and with it everything that
    /// began under it.
    private func workWhileLeased() async -> Bool {
        let isDone = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await self.keepLease()
                return false
            }
            group.addTask {
                await self.awaitEndOfLease()
                return false
            }
            group.addTask {
                await self.settleAsItComes()
                return false
            }
            group.addTask {
                await self.work()
                return !Task.isCancelled
            }
            let isDone = await group.next() ?? false
            group.cancelAll()
            return isDone
        }
        if !isDone { await giveEverythingUp() }
        return isDone
    }

    /// What the store still holds for us is nobody's work any more, until the next lease begins.
    private func giveEverythingUp() async {
        backlog.removeAll()
        let rest = unsettled
        unsettled = []
        if isLeased, !rest.isEmpty {
            // What was delivered is settled also where this courier is asked to stop, which its task has
            // heard of already.
            await Task { try? await store.settle(rest) }.value
        }
        leasedUntil = nil
    }

    // Claiming.

    /// Returns when nothing is under way, and nothing will be due soon.
    private func work() async {
        await withDiscardingTaskGroup { group in
            var failures = 0
            while !Task.isCancelled {
                do {
                    wakeAt = try await claimWhatIsDue(&group)
                    failures = 0
                    troubles.remove(.claiming)
                    if claimedCount == 0 { hosts.forgetIdle(at: clock.now()) }
                    if claimedCount == 0, wakeAt > clock.now().adding(configuration.renewal * 2) { return }
                } catch {
                    failures += 1
                    note(error, at: .claiming)
                    wakeAt = clock.now().adding(.milliseconds(min(100 << min(failures, 6), 5_000)))
                }
                _ = await wakeSignal.wait(until: wakeAt)
            }
        }
    }

    /// Claims as much as there is room for; returns when to look again.
    private func claimWhatIsDue(_ group: inout DiscardingTaskGroup) async throws -> Timestamp {
        while !Task.isCancelled, !isDraining {
            isAsking = false
            while let next = nextOfAny() { group.addTask { await self.attempt(next) } }
            let now = clock.now()
            let room = min(configuration.maximumClaim, configuration.maximumClaimed - claimedCount)
            isFull = room <= 0
            // Whoever ends makes room, and rings.
            guard !isFull else { return now.adding(configuration.longestSleep) }
            let bounds = hosts.bounds(at: now, backlogged: backlogged) { backlog.count(of: $0) }
            let claimed = try await store.claim(limit: room, bounds: bounds)
            note(claimed, bounds)
            for delivery in claimed { backlog.add(delivery) }
            if isDraining { postponeWaiting() }
            for delivery in claimed {
                if let next = next(for: delivery.host) { group.addTask { await self.attempt(next) } }
            }
            if claimed.isEmpty {
                // What is due and cannot be had, for another one is at it, is not asked for without a pause.
                return max(try await nextWake(bounds), now.adding(configuration.shortestSleep))
            }
        }
        return isDraining ? clock.now().adding(configuration.longestSleep) : clock.now()
    }

    /// Lets others have at once what has not begun.
    private func postponeWaiting() {
        let now = clock.now()
        for delivery in backlog.removeAll() {
            settle(delivery, .postponed, "this server stops", at: now, duration: nil)
        }
    }

    /// What is claimed and not settled.
    private var claimedCount: Int { hosts.inFlight + backlog.count + unsettled.count }

    private func note(_ claimed: [Parcel], _ bounds: HostBounds) {
        var counts: [String: Int] = [:]
        for delivery in claimed { counts[delivery.host, default: 0] += 1 }
        backlogged = Set(bounds.named.filter { $0.value <= 0 }.keys)
        for (host, count) in counts where count >= bounds[host] { backlogged.insert(host) }
    }

    private func nextWake(_ bounds: HostBounds) async throws -> Timestamp {
        let now = clock.now()
        let latest = now.adding(configuration.longestSleep)
        let due = try await store.nextDue(bounds: bounds) ?? latest
        return min(due, hosts.nextProbe(after: now) ?? latest, latest)
    }

    private func somethingIsDue() async -> Bool {
        do {
            wakeAt = try await nextWake(hosts.bounds(at: clock.now()) { _ in 0 })
            troubles.remove(.looking)
            return wakeAt <= clock.now()
        } catch {
            note(error, at: .looking)
            wakeAt = clock.now().adding(configuration.renewal)
            return false
        }
    }

    // Delivering.

    /// One after the other, as long as something waits that the end of the one before has made room for.
    private func attempt(_ first: Parcel) async {
        var current: Parcel? = first
        while let delivery = current {
            // The timer that ends the lease comes late after a standstill of the process.
            guard isLeased else { return giveUp(delivery, after: .zero) }
            let begun = clock.uptime()
            let outcome = await sink.deliver(delivery)
            let ended = clock.now()
            let duration = clock.uptime() - begun
            if Task.isCancelled, case .failed = outcome { return giveUp(delivery, after: duration) }
            let wasCrowded = hosts.isCrowded
            hosts.end(delivery.host, outcome, of: delivery.endpoint, after: duration, at: ended)
            endpoints.end(delivery.endpoint, outcome, at: ended)
            let verdict = configuration.schedule.verdict(
                on: outcome, attempts: delivery.attempts + 1, expiresAt: delivery.expiresAt, at: ended,
                using: &generator)
            settle(
                delivery, verdict, outcome.detail, at: ended, duration: outcome.wasSent ? duration : nil,
                countsAgainstEndpoint: outcome.countsAgainstEndpoint)
            if Task.isCancelled || isDraining { return }
            current = (wasCrowded ? nil : next(for: delivery.host)) ?? nextOfAny()
            wakeIfBacklogged(delivery.host, wasCrowded: wasCrowded, at: ended)
        }
    }

    private func giveUp(_ delivery: Parcel, after duration: Duration) {
        let now = clock.now()
        endpoints.end(delivery.endpoint, nil, at: now)
        hosts.end(delivery.host, nil, of: delivery.endpoint, after: duration, at: now)
        drainSignal.ring()
    }

    /// The next that waits for this host, where it has room; what has lost its point meanwhile is settled.
    private func next(for host: String) -> Parcel? {
        let now = clock.now()
        if hosts.isShut(host, priority: backlog.priority(of: host) ?? .max, at: now) {
            for delivery in backlog.removeAll(of: host) {
                settle(delivery, .postponed, "its host does not answer", at: now, duration: nil)
            }
        }
        while let priority = backlog.priority(of: host),
            hosts.hasRoom(host, priority: priority, at: now), let delivery = backlog.next(for: host)
        {
            if let expiresAt = delivery.expiresAt, expiresAt <= now {
                settle(delivery, .expired, "it came too late to be of use", at: now, duration: nil)
            } else if let until = endpoints.shutUntil(
                delivery.endpoint, priority: delivery.priority, at: now)
            {
                settle(
                    delivery, .deferred(until: until), "its endpoint takes nothing at the moment", at: now,
                    duration: nil)
            } else {
                endpoints.begin(delivery.endpoint)
                hosts.begin(host, at: now)
                return delivery
            }
        }
        return nil
    }

    /// The next of the host whose next is the most urgent.
    private func nextOfAny() -> Parcel? {
        let now = clock.now()
        while let host = backlog.mostUrgentHost(where: { hosts.hasRoom($0, priority: $1, at: now) }) {
            if let delivery = next(for: host) { return delivery }
        }
        return nil
    }

    /// Claims more for a host that has room again, or begins what waits for it.
    private func wakeIfBacklogged(_ host: String, wasCrowded: Bool, at now: Timestamp) {
        if isAsking { return }
        let waiting = backlog.count(of: host)
        isAsking =
            wasCrowded && !hosts.isCrowded && backlog.count > 0
            || (backlog.priority(of: host).map { hosts.hasRoom(host, priority: $0, at: now) } ?? false)
            || backlogged.contains(host) && hosts.bound(of: host, waiting: waiting, at: now) > 0
        if isAsking { wakeSignal.ring() }
    }

    // Settling.

    private func settle(
        _ delivery: Parcel, _ verdict: Verdict, _ detail: String, at instant: Timestamp, duration: Duration?,
        countsAgainstEndpoint: Bool = true
    ) {
        unsettled.append(
            Settlement(
                delivery: delivery.id, endpoint: delivery.endpoint, verdict: verdict, detail: detail,
                at: instant,
                duration: duration, countsAgainstEndpoint: countsAgainstEndpoint))
        statistics.count(verdict)
        settlementSignal.ring()
    }

    /// Stores what came of attempts; what comes while that is under way is stored together, afterwards.
    private func settleAsItComes() async {
        var failures = 0
        while !Task.isCancelled {
            let batch = unsettled
            guard !batch.isEmpty else {
                _ = await settlementSignal.wait(until: clock.now().adding(configuration.longestSleep))
                continue
            }
            do {
                try await store.settle(batch)
                unsettled.removeFirst(batch.count)
                drainSignal.ring()
                failures = 0
                troubles.remove(.settling)
                ringIfUseful(after: batch)
            } catch {
                failures += 1
                note(error, at: .settling)
                await clock.sleep(for: .milliseconds(min(50 << min(failures, 6), 2_000)))
            }
        }
    }

    /// There is room again, something is to be tried again before anybody would look, or this was the last.
    private func ringIfUseful(after batch: [Settlement]) {
        let isEarlier = batch.contains { settlement in
            switch settlement.verdict {
            case .retry(let at), .deferred(let at): at < wakeAt
            case .delivered, .postponed, .exhausted, .refused, .expired, .gone: false
            }
        }
        if isFull || isEarlier || claimedCount == 0 { wakeSignal.ring() }
    }

    // The lease.

    private func takeLease() async -> Bool {
        let asked = clock.uptime()
        // One that has just been prolonged will do.
        if let leasedUntil, asked + configuration.renewal * 2 < leasedUntil { return true }
        do {
            try await store.renew(for: configuration.lease)
            leasedUntil = asked + configuration.lease
            troubles.remove(.renewing)
            return true
        } catch {
            note(error, at: .renewing)
            return false
        }
    }

    private func prolongLease() async {
        let asked = clock.uptime()
        do {
            let isOurs = try await store.prolong(for: configuration.lease)
            // An answer after the end of the lease comes too late: some may have been given up already.
            leasedUntil = isOurs && isLeased ? asked + configuration.lease : nil
            troubles.remove(.renewing)
        } catch {
            note(error, at: .renewing)
        }
    }

    /// Where that fails it is tried again; what was claimed is ours until the lease ends. Returns where the
    /// store has let another one begin: what is under way then is not ours any more.
    private func keepLease() async {
        var next = clock.uptime()
        while !Task.isCancelled, leasedUntil != nil {
            next = max(next + configuration.renewal, clock.uptime())
            await clock.sleep(for: next - clock.uptime())
            if !Task.isCancelled { await prolongLease() }
        }
    }

    private func awaitEndOfLease() async {
        while !Task.isCancelled, let leasedUntil, isLeased {
            await clock.sleep(for: leasedUntil - clock.uptime())
        }
    }

    // Trouble.

    private func note(_ error: any Error, at step: Trouble) {
        if !Task.isCancelled, troubles.insert(step).inserted { warn(step.rawValue, error) }
    }

    private var isLeased: Bool { leasedUntil.map { clock.uptime() < $0 } ?? false }
}
