import Contract

/// Claims what is due, delivers it, and settles what came of it; at least once, and in harmless doubt twice: where the
/// courier dies between delivering and settling, another one delivers again, under the same id.
///
/// A slow host delays nobody: each has a bound of its own, and a circuit. Nothing is attempted after this courier's
/// lease may have ended.
package actor Courier<Store: OutboxStore, Destination: Sink> where Store.Message == Destination.Message {
    private typealias Parcel = Delivery<Store.Message>

    private let store: Store
    private let sink: Destination
    private let clock: any OutboxClock
    private let configuration: CourierConfiguration
    private let bell: Bell
    private var generator: any RandomNumberGenerator & Sendable
    private var hosts: HostLedger
    private var statistics = CourierStatistics()
    /// What came of attempts and is not stored yet.
    private var unsettled: [Settlement] = []
    private var isSettling = false
    /// Until when what was claimed is surely ours.
    private var leasedUntil: Timestamp?
    private var failures = 0

    package init(
        store: Store, sink: Destination, clock: any OutboxClock,
        configuration: CourierConfiguration = CourierConfiguration(),
        using generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.store = store
        self.sink = sink
        self.clock = clock
        self.configuration = configuration
        self.generator = generator
        hosts = HostLedger(limitPerHost: configuration.maximumPerHost)
        bell = Bell(clock: clock)
    }

    package var figures: CourierStatistics {
        var figures = statistics
        figures.inFlight = hosts.inFlight
        figures.openCircuits = hosts.openCircuits
        return figures
    }

    /// A hint that something is due. Where it is lost, everything happens a little later.
    package nonisolated func ring() { bell.ring() }

    /// Works until its task is cancelled. Attempts under way are given up then, and made again when the lease is over.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.keepLease() }
            while !Task.isCancelled {
                if isLeased {
                    await workWhileLeased()
                } else {
                    await bell.wait(until: clock.now().adding(configuration.longestSleep))
                }
            }
            group.cancelAll()
        }
    }

    /// Returns when the lease is over, and with it everything that began under it.
    private func workWhileLeased() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.work() }
            group.addTask { await self.awaitEndOfLease() }
            await group.next()
            group.cancelAll()
        }
        let rest = unsettled
        unsettled = []
        guard isLeased, !rest.isEmpty else { return }
        // What was delivered is settled also where this courier is asked to stop, which its task has heard of already.
        await Task { try? await store.settle(rest) }.value
    }

    private func work() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let wake: Timestamp
                do {
                    wake = try await claimWhatIsDue(&group)
                    failures = 0
                } catch {
                    failures += 1
                    wake = clock.now().adding(.milliseconds(min(100 << min(failures, 6), 5_000)))
                }
                await bell.wait(until: wake)
            }
        }
    }

    /// Claims as much as there is room for; returns when to look again.
    private func claimWhatIsDue(_ group: inout DiscardingTaskGroup) async throws -> Timestamp {
        while !Task.isCancelled {
            let now = clock.now()
            let latest = now.adding(configuration.longestSleep)
            let room = configuration.maximumInFlight - hosts.inFlight - unsettled.count
            // Whoever ends makes room, and rings.
            guard room > 0 else { return latest }
            let bounds = hosts.bounds(at: now)
            let claimed = try await store.claim(limit: room, bounds: bounds)
            for parcel in claimed { begin(parcel, in: &group) }
            guard claimed.isEmpty else { continue }
            let due = try await store.nextDue(bounds: bounds) ?? latest
            return min(due, hosts.nextProbe(after: now) ?? latest, latest)
        }
        return clock.now()
    }

    private func begin(_ parcel: Parcel, in group: inout DiscardingTaskGroup) {
        let now = clock.now()
        if let expiresAt = parcel.expiresAt, expiresAt <= now {
            settle(parcel, .expired, "it came too late to be of use", at: now, duration: nil, in: &group)
        } else if hosts.begin(parcel.host, at: now) {
            group.addTask { await self.attempt(parcel) }
        } else {
            // The host's circuit has opened since it was claimed.
            settle(parcel, .postponed, "its host does not answer", at: now, duration: nil, in: &group)
        }
    }

    private func attempt(_ parcel: Parcel) async {
        let begun = clock.now()
        let outcome = await sink.deliver(parcel)
        let ended = clock.now()
        if Task.isCancelled, case .failed = outcome { return hosts.end(parcel.host, nil, at: ended) }
        hosts.end(parcel.host, outcome, at: ended)
        let verdict = configuration.schedule.verdict(
            on: outcome, attempts: parcel.attempts + 1, expiresAt: parcel.expiresAt, at: ended,
            using: &generator)
        keep(parcel, verdict, outcome.detail, at: ended, duration: ended.since(begun))
        await settleAll()
        bell.ring()
    }

    private func settle(
        _ parcel: Parcel, _ verdict: Verdict, _ detail: String, at instant: Timestamp, duration: Duration?,
        in group: inout DiscardingTaskGroup
    ) {
        keep(parcel, verdict, detail, at: instant, duration: duration)
        group.addTask { await self.settleAll() }
    }

    private func keep(
        _ parcel: Parcel, _ verdict: Verdict, _ detail: String, at instant: Timestamp, duration: Duration?
    ) {
        unsettled.append(
            Settlement(
                delivery: parcel.id, endpoint: parcel.endpoint, verdict: verdict, detail: detail, at: instant,
                duration: duration))
        statistics.count(verdict)
    }

    /// Stores what came of attempts; what comes while that is under way is stored together, afterwards.
    private func settleAll() async {
        if isSettling { return }
        isSettling = true
        defer { isSettling = false }
        var failures = 0
        while !unsettled.isEmpty, !Task.isCancelled {
            let batch = unsettled
            do {
                try await store.settle(batch)
                unsettled.removeFirst(batch.count)
                failures = 0
                bell.ring()
            } catch {
                failures += 1
                await clock.sleep(for: .milliseconds(min(50 << min(failures, 6), 2_000)))
            }
        }
    }

    private func keepLease() async {
        while !Task.isCancelled {
            let asked = clock.now()
            do {
                try await store.renew(for: configuration.lease)
                let wasLeased = isLeased
                leasedUntil = asked.adding(configuration.lease)
                if !wasLeased { bell.ring() }
            } catch {
                // Tried again; what was claimed is ours until the lease ends.
            }
            await clock.sleep(for: configuration.renewal)
        }
    }

    private func awaitEndOfLease() async {
        while !Task.isCancelled, let leasedUntil, isLeased {
            await clock.sleep(for: leasedUntil.since(clock.now()))
        }
    }

    private var isLeased: Bool { leasedUntil.map { clock.now() < $0 } ?? false }
}
