import Codecs
import Contract
import Reactor

/// A step at which the store can fail; the raw value is the message for the operator.
private enum Trouble: String {
    case claiming = "deliveries are claimed later"
    case settling = "what came of deliveries is stored later"
    case renewing = "the lease of the delivery worker is not prolonged"
    case looking = "deliveries are looked for later"
}

/// Claims due deliveries, attempts them, and settles their outcomes. Delivery is at least once: if a delivery
/// worker dies between delivering and settling, another one delivers again, under the same id.
///
/// `Dispatcher` decides which begins when. No attempt begins after the worker's lease may have ended. An idle
/// worker holds no lease, and rarely asks the store.
package actor DeliveryWorker<Store: OutboxStore, Destination: Sink>
where Store.Message == Destination.Message {
    private let store: Store
    private let sink: Destination
    private let clock: any OutboxClock
    private let configuration: DeliveryWorkerConfiguration
    /// Called when a step of the store fails, once until that step succeeds again.
    private let warn: @Sendable (String, any Error) -> Void
    private var troubles: Set<Trouble> = []
    /// The signal that there may be more to claim.
    private let wakeSignal = WakeSignal()
    /// The signal that there are outcomes to settle.
    private let settlementSignal = WakeSignal()
    /// The signal that outcomes were settled, or an attempt was given up; `drain` waits for it.
    private let drainSignal = WakeSignal()
    /// Whether the worker drains: it begins no more attempts.
    private var isDraining = false
    private var dispatcher: Dispatcher<Store.Message>
    /// Whether the latest claim had no room left, since too many deliveries were claimed already.
    private var isFull = false
    /// The uptime until which this worker certainly holds its claims, by the monotonic clock; nil: it holds
    /// none.
    private var leasedUntil: Duration?
    /// The instant of the next look at the store without a change event.
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
        wakeAt = clock.now()
    }

    package var figures: DeliveryWorkerStatistics { dispatcher.statistics(at: clock.now()) }

    /// The hosts that do not answer at the moment.
    package var silentHosts: [String] { dispatcher.silentHosts(at: clock.now()) }

    /// Signals the worker that a delivery is due. A lost call only delays deliveries a little.
    package nonisolated func wake() { wakeSignal.send() }

    /// Begins no more attempts, gives back the deliveries that have not begun, and returns when the attempts
    /// under way have ended and are stored, or after `longest`. `run` does this work, and ends with it.
    package func drain(for longest: Duration) async {
        isDraining = true
        postponeWaiting()
        wakeSignal.send()
        let end = clock.now().adding(longest)
        while dispatcher.claimedCount > 0 {
            guard await wait(for: drainSignal, until: end) else { return }
        }
    }

    /// Works until it is drained or its task is cancelled. A cancellation gives up the attempts under way;
    /// they are made again when the lease is over.
    package func run() async {
        var isDue = true
        while !Task.isCancelled, !isDraining {
            if isDue {
                guard await takeLease() else {
                    await wait(for: wakeSignal, until: clock.now().adding(configuration.renewal))
                    continue
                }
                // The deliveries that were given up are claimed again under the next lease.
                guard await workWhileLeased(), !isDraining else { continue }
            }
            isDue = await wait(for: wakeSignal, until: wakeAt)
            if !isDue, !Task.isCancelled { isDue = await somethingIsDue() }
        }
    }

    /// Works under the lease. Returns true when there is nothing to do; false when the lease is over, and
    /// with it every attempt that began under it.
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

    /// Gives up all claims; no worker handles those deliveries until the next lease begins. Outcomes that are
    /// not stored yet are settled if the lease still lasts.
    private func giveEverythingUp() async {
        let rest = dispatcher.giveUp()
        if isLeased, !rest.isEmpty {
            // The outcomes are settled even if this worker is stopped, which has cancelled its task.
            await shielded { [store] in _ = try? await store.settle(rest) }
        }
        leasedUntil = nil
    }

    // Claiming.

    /// Claims and attempts deliveries. Returns when none is under way, and none will be due soon.
    private func work() async {
        await withDiscardingTaskGroup { group in
            var failures = 0
            while !Task.isCancelled {
                do {
                    wakeAt = try await claimWhatIsDue(&group)
                    if dispatcher.lacksDescriptors {
                        wakeAt = min(wakeAt, clock.now().adding(configuration.renewal))
                    }
                    failures = 0
                    troubles.remove(.claiming)
                    if dispatcher.claimedCount == 0 { dispatcher.forgetIdleHosts(at: clock.now()) }
                    let isLongIdle = wakeAt > clock.now().adding(configuration.renewal * 2)
                    if dispatcher.claimedCount == 0, isLongIdle { return }
                } catch {
                    failures += 1
                    note(error, at: .claiming)
                    wakeAt = clock.now().adding(configuration.claimBackoff.delay(afterFailures: failures))
                }
                await wait(for: wakeSignal, until: wakeAt)
            }
        }
    }

    /// Claims as many due deliveries as there is room for; returns the instant of the next look.
    private func claimWhatIsDue(_ group: inout DiscardingTaskGroup) async throws -> Timestamp {
        while !Task.isCancelled, !isDraining {
            let now = clock.now()
            while let next = dispatcher.next(at: now) { group.addTask { await self.attempt(next) } }
            settleSoon()
            if dispatcher.lacksDescriptors {
                // Another server may have some.
                postponeWaiting()
                return now.adding(configuration.renewal)
            }
            let bounds = dispatcher.claimBounds(at: now)
            let room = dispatcher.room
            isFull = room <= 0
            // The end of an attempt makes room, and wakes this worker.
            guard !isFull else { return now.adding(configuration.longestSleep) }
            let claimed = try await store.claim(limit: room, bounds: bounds)
            dispatcher.add(claimed, within: bounds)
            if isDraining { postponeWaiting() }
            for delivery in claimed {
                guard let next = dispatcher.next(for: delivery.host, at: clock.now()) else { continue }
                group.addTask { await self.attempt(next) }
            }
            settleSoon()
            if claimed.isEmpty {
                // Due deliveries that another worker holds are asked for again only after a pause.
                return max(try await nextWake(bounds), now.adding(configuration.shortestSleep))
            }
        }
        return isDraining ? clock.now().adding(configuration.longestSleep) : clock.now()
    }

    /// Gives back the deliveries that have not begun, so that others can claim them at once.
    private func postponeWaiting() {
        dispatcher.postponeWaiting(at: clock.now())
        settleSoon()
    }

    private func nextWake(_ bounds: ClaimBounds) async throws -> Timestamp {
        let now = clock.now()
        let latest = now.adding(configuration.longestSleep)
        let due = try await store.nextDue(bounds: bounds) ?? latest
        return min(due, dispatcher.nextProbe(after: now) ?? latest, latest)
    }

    private func somethingIsDue() async -> Bool {
        do {
            wakeAt = try await nextWake(dispatcher.bounds(at: clock.now()))
            troubles.remove(.looking)
            return wakeAt <= clock.now()
        } catch {
            note(error, at: .looking)
            wakeAt = clock.now().adding(configuration.renewal)
            return false
        }
    }

    // Delivering.

    /// Attempts a delivery, and then others one by one, as long as the end of each makes room for a waiting
    /// one.
    private func attempt(_ first: Delivery<Store.Message>) async {
        var current: Delivery<Store.Message>? = first
        while let delivery = current {
            // The timer that ends the lease fires late after a standstill of the process.
            guard isLeased else { return giveUp(delivery) }
            let begun = clock.uptime()
            let outcome = await sink.deliver(delivery)
            let ended = clock.now()
            let duration = clock.uptime() - begun
            if Task.isCancelled, case .failed = outcome { return giveUp(delivery) }
            let following = dispatcher.ended(
                delivery, outcome, after: duration, at: ended, goesOn: !Task.isCancelled && !isDraining)
            settleSoon()
            if following.wakes { wakeSignal.send() }
            current = following.next
        }
    }

    private func giveUp(_ delivery: Delivery<Store.Message>) {
        dispatcher.gaveUp(delivery, at: clock.now())
        drainSignal.send()
    }

    // Settling.

    /// Signals that there are outcomes to settle, if there are any.
    private func settleSoon() {
        if !dispatcher.unsettled.isEmpty { settlementSignal.send() }
    }

    /// Stores the outcomes of attempts; those that arrive while a batch is being stored are stored together
    /// afterwards.
    private func settleAsItComes() async {
        var failures = 0
        while !Task.isCancelled {
            let batch = dispatcher.unsettled
            guard !batch.isEmpty else {
                await wait(for: settlementSignal, until: clock.now().adding(configuration.longestSleep))
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
                await clock.sleep(for: configuration.settleBackoff.delay(afterFailures: failures))
            }
        }
    }

    /// Wakes the worker if there is room again, if a delivery may be due before the next look, or if this
    /// batch was the last.
    private func wakeIfUseful(after batch: [Settlement]) {
        let isEarlier = batch.contains { settlement in
            settlement.askedPause != nil || settlement.verdict.dueAt.map { $0 < wakeAt } ?? false
        }
        if isFull || isEarlier || dispatcher.claimedCount == 0 { wakeSignal.send() }
    }

    // The lease.

    private func takeLease() async -> Bool {
        let asked = clock.uptime()
        // A lease that has just been prolonged is enough.
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
            // An answer after the end of the lease is too late: some deliveries may have been given up
            // already.
            leasedUntil = isOurs && isLeased ? asked + configuration.lease : nil
            troubles.remove(.renewing)
        } catch {
            note(error, at: .renewing)
        }
    }

    /// Prolongs the lease regularly. A failed call is repeated, since the claims last until the lease ends.
    /// Returns if the store does not prolong the lease: the attempts under way are then not this worker's any
    /// more.
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

    /// Returns true at the signal; false at that instant, or if the task is cancelled.
    @discardableResult
    private func wait(for signal: WakeSignal, until instant: Timestamp) async -> Bool {
        await signal.wait(during: { [clock] in
            await clock.sleep(for: max(instant.since(clock.now()), .zero))
        })
    }

    // Trouble.

    private func note(_ error: any Error, at step: Trouble) {
        if !Task.isCancelled, troubles.insert(step).inserted { warn(step.rawValue, error) }
    }

    private var isLeased: Bool { leasedUntil.map { clock.uptime() < $0 } ?? false }
}
