import Contract

/// What a store can fail at, as the operator is told.
private enum Trouble: String {
    case claiming = "deliveries are claimed later"
    case settling = "what came of deliveries is stored later"
    case renewing = "the lease of the delivery worker is not prolonged"
    case looking = "deliveries are looked for later"
}

/// Claims what is due, delivers it, and settles what came of it; at least once, and in harmless doubt twice:
/// where the delivery worker dies between delivering and settling, another one delivers again, under the same
/// id.
///
/// A slow host delays nobody: each has a bound of its own, and a circuit. Nothing is attempted after this
/// delivery worker's lease may have ended. Without anything to do it has none, and asks the store hardly
/// ever.
package actor DeliveryWorker<Store: OutboxStore, Destination: Sink>
where Store.Message == Destination.Message {
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
    private var dispatcher: Dispatcher<Store.Message>
    /// The latest claim could take nothing, for so much was claimed already.
    private var isFull = false
    /// Until when what was claimed is surely ours, by a clock that nobody sets. Nil: it is not.
    private var leasedUntil: Duration?
    /// When to look again, without a change event.
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
        self.warn = warn
        dispatcher = Dispatcher(configuration, using: generator)
        wakeSignal = WakeSignal(clock: clock)
        settlementSignal = WakeSignal(clock: clock)
        drainSignal = WakeSignal(clock: clock)
        wakeAt = clock.now()
    }

    package var figures: DeliveryWorkerStatistics { dispatcher.statistics(at: clock.now()) }

    /// The hosts that do not answer at the moment.
    package var silentHosts: [String] { dispatcher.silentHosts(at: clock.now()) }

    /// A change event that something is due. Where it is lost, everything happens a little later.
    package nonisolated func wake() { wakeSignal.send() }

    /// Begins nothing more, gives back what has not begun, and returns when the attempts under way are over
    /// and stored; after so long at the latest. `run` does that work, and ends with it.
    package func drain(for longest: Duration) async {
        isDraining = true
        postponeWaiting()
        wakeSignal.send()
        let end = clock.now().adding(longest)
        while dispatcher.claimedCount > 0 {
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
        let rest = dispatcher.giveUp()
        if isLeased, !rest.isEmpty {
            // What was delivered is settled also where this delivery worker is asked to stop, which its task
            // has heard of already.
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
                    if dispatcher.claimedCount == 0 { dispatcher.forgetIdleHosts(at: clock.now()) }
                    let isLongIdle = wakeAt > clock.now().adding(configuration.renewal * 2)
                    if dispatcher.claimedCount == 0, isLongIdle { return }
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
            let now = clock.now()
            while let next = dispatcher.next(at: now) { group.addTask { await self.attempt(next) } }
            settleSoon()
            let bounds = dispatcher.claimBounds(at: now)
            let room = dispatcher.room
            isFull = room <= 0
            // An attempt that ends makes room, and wakes.
            guard !isFull else { return now.adding(configuration.longestSleep) }
            let claimed = try await store.claim(limit: room, bounds: bounds)
            dispatcher.add(claimed, bounds)
            if isDraining { postponeWaiting() }
            for delivery in claimed {
                guard let next = dispatcher.next(for: delivery.host, at: clock.now()) else { continue }
                group.addTask { await self.attempt(next) }
            }
            settleSoon()
            if claimed.isEmpty {
                // What is due and cannot be had, for another one is at it, is not asked for without a pause.
                return max(try await nextWake(bounds), now.adding(configuration.shortestSleep))
            }
        }
        return isDraining ? clock.now().adding(configuration.longestSleep) : clock.now()
    }

    /// Lets others have at once what has not begun.
    private func postponeWaiting() {
        dispatcher.postponeWaiting(at: clock.now())
        settleSoon()
    }

    private func nextWake(_ bounds: HostBounds) async throws -> Timestamp {
        let now = clock.now()
        let latest = now.adding(configuration.longestSleep)
        let due = try await store.nextDue(bounds: bounds) ?? latest
        return min(due, dispatcher.nextProbe(after: now) ?? latest, latest)
    }

    private func somethingIsDue() async -> Bool {
        do {
            wakeAt = try await nextWake(dispatcher.idleBounds(at: clock.now()))
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
    private func attempt(_ first: Delivery<Store.Message>) async {
        var current: Delivery<Store.Message>? = first
        while let delivery = current {
            // The timer that ends the lease comes late after a standstill of the process.
            guard isLeased else { return giveUp(delivery, after: .zero) }
            let begun = clock.uptime()
            let outcome = await sink.deliver(delivery)
            let ended = clock.now()
            let duration = clock.uptime() - begun
            if Task.isCancelled, case .failed = outcome { return giveUp(delivery, after: duration) }
            let following = dispatcher.ended(
                delivery, outcome, after: duration, at: ended, goesOn: !Task.isCancelled && !isDraining)
            settleSoon()
            if following.wakes { wakeSignal.send() }
            current = following.next
        }
    }

    private func giveUp(_ delivery: Delivery<Store.Message>, after duration: Duration) {
        dispatcher.gaveUp(delivery, after: duration, at: clock.now())
        drainSignal.send()
    }

    // Settling.

    /// After the dispatcher may have settled something.
    private func settleSoon() {
        if !dispatcher.unsettled.isEmpty { settlementSignal.send() }
    }

    /// Stores what came of attempts; what comes while that is under way is stored together, afterwards.
    private func settleAsItComes() async {
        var failures = 0
        while !Task.isCancelled {
            let batch = dispatcher.unsettled
            guard !batch.isEmpty else {
                _ = await settlementSignal.wait(until: clock.now().adding(configuration.longestSleep))
                continue
            }
            do {
                try await store.settle(batch)
                dispatcher.settled(batch.count)
                drainSignal.send()
                failures = 0
                troubles.remove(.settling)
                wakeIfUseful(after: batch)
            } catch {
                failures += 1
                note(error, at: .settling)
                await clock.sleep(for: .milliseconds(min(50 << min(failures, 6), 2_000)))
            }
        }
    }

    /// There is room again, something is to be tried again before anybody would look, or this was the last.
    private func wakeIfUseful(after batch: [Settlement]) {
        let isEarlier = batch.contains { settlement in
            switch settlement.verdict {
            case .retry(let at), .deferred(let at): at < wakeAt
            case .delivered, .postponed, .exhausted, .refused, .expired, .gone: false
            }
        }
        if isFull || isEarlier || dispatcher.claimedCount == 0 { wakeSignal.send() }
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
