package import Contract
package import Database
import Logging
import Reactor
import Synchronization

/// The membership of this server in the cluster: it renews the lease, knows the others, and finds out whether
/// rooms of a server that is gone may be claimed. It lives on a background loop.
package actor ClusterService {
    /// The time between two heartbeats while a slot is near or open.
    private static let heartbeat = Duration.milliseconds(250)
    /// The time before an opening from which the lease is renewed each second.
    private static let headStart = Duration.seconds(10)
    /// The time for which a refused caller keeps the renewals going.
    private static let wanted: Int64 = 60_000_000

    /// The other servers, for any loop.
    package nonisolated let peers = PeerList()
    /// The answer to the question whether this server may acknowledge what it is told, for any loop.
    package nonisolated let clock: LeaseClock
    /// Whether the last renewal has failed, for any loop.
    nonisolated let isOutage = Atomic<Bool>(false)

    /// Whether the last renewal has succeeded, or there was none yet.
    package nonisolated var isRenewed: Bool { !isOutage.load(ordering: .relaxed) }

    let time: ClusterTime
    var own: ServerDirectory.Own
    let directory: any ServerRows
    let talk: any PeerCalls
    let duties: RoomDuties
    private let lead: Duration
    private nonisolated let signal: WakeSignal

    private var lease = Lease()
    private var nextStart: Timestamp?
    private var wantedUntil = Int64.min
    /// The instant since which every renewal has succeeded, or at which lapsed servers were last released, in
    /// microseconds since the start of the machine; nil before the first renewal and after one that failed.
    private(set) var steadySince: Int64?
    private var hasLeft = false
    private var wasReliable = false
    /// The tasks that wait until the lease is relied on.
    private var waiting: [WakeSignal] = []
    var notices = ClusterNotices()
    /// The addresses at which incarnations have answered a signed probe.
    var answered: [Identifier: String] = [:]
    var decisions: [Identifier: TakeOverTurn] = [:]

    package nonisolated var unownedExecutor: UnownedSerialExecutor { time.executor.asUnownedSerialExecutor() }

    /// Creates it. `lead` is the time before a slot at which its rooms open. The directory has a pool of its
    /// own with short time-outs (`ServerDirectory.configuration`), so that a renewal never waits behind other
    /// work.
    package init(
        _ own: ServerDirectory.Own, directory: any ServerRows, talk: any PeerCalls, lead: Duration,
        duties: RoomDuties, in time: ClusterTime
    ) {
        self.own = own
        self.directory = directory
        self.talk = talk
        self.lead = lead
        self.duties = duties
        self.time = time
        let signal = WakeSignal()
        self.signal = signal
        clock = LeaseClock(now: time.sinceBoot, wake: signal)
    }

    /// Renews and watches until the task is cancelled. It returns once its last questions have ended. Its
    /// task prefers the loop: what waits inside a closure leaves the actor's executor.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for step in beat() {
                    group.addTask(executorPreference: time.executor) { await self.perform(step) }
                }
                await rest(for: pause)
            }
            group.cancelAll()
        }
        publish(deadline: .min)
    }

    private func rest(for pause: Duration) async {
        await signal.wait(alarm: { [time] in time.alarm(pause, $0) })
    }

    /// Renews the lease now, as the server starts: before it claims rooms, and before others give it any.
    package func join() async throws {
        _ = try await directory.renew(own)
    }

    /// Waits until this server may rely on its lease, at most for that time.
    func waitUntilCertain(atMost patience: Duration) async {
        guard !clock.mayAnswer else { return }
        let signal = WakeSignal()
        waiting.append(signal)
        await signal.wait(during: { [time] in try? await time.sleep(patience) })
        waiting.removeAll { $0 === signal }
    }

    /// Notes that the registrations of a slot have changed.
    package func slotChanged(_ startsAt: Timestamp) {
        if nextStart.map({ startsAt < $0 }) ?? true { nextStart = startsAt }
        signal.send()
    }

    /// Says that this server gives its rooms to others, and waits until the database knows it. The peers are
    /// known again then.
    package func drain() async throws {
        own.state = .draining
        try await readPeers()
    }

    /// Reads the peers again: one that has just begun to serve is in no list of the last renewal. Does
    /// nothing after the end of the lease, which this would renew.
    package func readPeers() async throws {
        guard !hasLeft else { return }
        let renewal = try await directory.renew(own)
        // The next renewal does not see that the row was gone.
        if renewal.isNew { steadySince = nil }
        peers.set(renewal.others)
    }

    /// Ends the lease, once no room is open here any more. Nothing is acknowledged from now on.
    package func leave() async throws {
        hasLeft = true
        publish(deadline: .min)
        try await directory.leave(own.incarnation)
    }

    /// The time since the lease was last renewed; nil before the first renewal.
    package var leaseAge: Duration? { lease.renewedAt.map { .microseconds(time.sinceBoot() - $0) } }

    // The heart.

    private func beat() -> [Lease.Step] {
        if hasLeft { return [] }
        let now = time.sinceBoot()
        if clock.isWanted { wantedUntil = now + Self.wanted }
        lease.isActive = now < wantedUntil || isSlotNear
        let steps = lease.beat(at: now)
        publish(deadline: lease.deadline)
        return steps
    }

    private var isSlotNear: Bool { nextActivity.map { $0 <= talk.now() } ?? false }

    private var nextActivity: Timestamp? {
        nextStart?.adding(.zero - lead).adding(.zero - Self.headStart)
    }

    private var pause: Duration {
        if lease.isActive { return Self.heartbeat }
        let idle = Duration.microseconds(Lease.idleInterval)
        guard let nextActivity else { return idle }
        return max(Self.heartbeat, min(idle, nextActivity.since(talk.now())))
    }

    private func publish(deadline: Int64) {
        // A caller may have been refused between two of these calls.
        let wasRefused = clock.set(hasLeft ? .min : deadline)
        let isReliable = !hasLeft && time.sinceBoot() < deadline
        if isReliable { for signal in waiting { signal.send() } }
        if isReliable && (!wasReliable || wasRefused) { duties.goOn() }
        wasReliable = isReliable
    }

    private func perform(_ step: Lease.Step) async {
        switch step {
        case .renew: await renew()
        case .askPeers: await askPeers()
        }
    }

    private func renew() async {
        let renewal: ServerDirectory.Renewal
        do {
            renewal = try await directory.renew(own)
            // A room that was taken over meanwhile is given up before anything is acknowledged again.
            try await duties.giveUpLost()
        } catch {
            lease.renewalFailed()
            steadySince = nil
            if !isOutage.exchange(true, ordering: .relaxed) {
                Log.warning("lease renewal failed; retrying", ["error": "\(error)"])
            }
            return
        }
        let now = time.sinceBoot()
        peers.set(renewal.others)
        if nextStart != renewal.nextStart {
            nextStart = renewal.nextStart
            // The pause until the next heartbeat was chosen without it.
            signal.send()
        }
        lease.renewed(servingPeers: peers.all.count { $0.entry.address != nil }, at: now)
        publish(deadline: lease.deadline)
        if isOutage.exchange(false, ordering: .relaxed) {
            Log.info("lease renewed again")
        }
        await attend(to: renewal, at: now)
    }

    /// After a renewal: releases members of servers that are gone, then probes the others.
    private func attend(to renewal: ServerDirectory.Renewal, at now: Int64) async {
        if renewal.isNew || steadySince == nil || !lease.isActive { steadySince = now }
        // After an outage the others need the time of a lapse to renew.
        if let steadySince, now - steadySince > 10_000_000 {
            // It is set before the call, since a renewal that fails during the call sets it to nil.
            self.steadySince = now
            do {
                try await duties.releaseLapsed()
            } catch {
                Log.warning("releasing servers that are gone failed; retrying", ["error": "\(error)"])
            }
        }
        notices.look(at: renewal.others, own: own)
        await lookAround()
    }

    /// Asks all peers for the terms of the rooms here, and gives up those that others have.
    private func askPeers() async {
        let open = await duties.open()
        let rooms = open.keys.sorted()
        let asked = peers.all
        let talk = talk
        var reached = 0
        var higher: [Identifier: Int32] = [:]
        await withTaskGroup(of: [Identifier: Int32]?.self) { group in
            for peer in asked {
                guard let address = peer.entry.address else { continue }
                group.addTask { await talk.terms(of: rooms, from: peer.incarnation, at: address) }
            }
            for await terms in group {
                guard let terms else { continue }
                reached += 1
                for (room, term) in terms where term > open[room] ?? .max {
                    higher[room] = max(term, higher[room] ?? term)
                }
            }
        }
        for (room, term) in higher.sorted(by: { $0.key < $1.key }) { await duties.giveUp(room, term) }
        lease.peersAnswered(reached: reached, at: time.sinceBoot())
        publish(deadline: lease.deadline)
    }
}
