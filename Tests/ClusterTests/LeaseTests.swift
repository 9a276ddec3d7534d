import Reactor
import Synchronization
import Testing

@testable import Cluster

@Suite("The lease of a server")
struct LeaseTests {
    /// Beats each quarter of a second up to and with `end`, in microseconds, and returns the questions.
    @discardableResult
    private static func beat(
        _ lease: inout Lease, from start: Int64, to end: Int64,
        _ answer: (Lease.Step, Int64, inout Lease) -> Void = { _, _, _ in }
    ) -> [Lease.Step] {
        var steps: [Lease.Step] = []
        for now in stride(from: start, through: end, by: 250_000) {
            for step in lease.beat(at: now) {
                steps.append(step)
                answer(step, now, &lease)
            }
        }
        return steps
    }

    private static func active() -> Lease {
        var lease = Lease()
        lease.isActive = true
        return lease
    }

    /// Returns an active lease that was renewed at 0.
    private static func held(servingPeers count: Int) -> Lease {
        var lease = active()
        _ = lease.beat(at: 0)
        lease.renewed(servingPeers: count, at: 0)
        return lease
    }

    private static func fail(_ step: Lease.Step, _ now: Int64, _ lease: inout Lease) {
        if step == .renew { lease.renewalFailed() }
    }

    @Test("is relied on for four seconds from before the renewal was sent, not from the answer")
    func reliance() {
        var lease = Self.active()
        #expect(lease.beat(at: 0) == [.renew])
        #expect(lease.deadline == .min)
        #expect(lease.beat(at: 900_000).isEmpty)
        lease.renewed(servingPeers: 1, at: 900_000)
        #expect(lease.state == .held(until: 4_000_000))
        #expect(lease.deadline == 1_900_000)
        Self.beat(&lease, from: 1_000_000, to: 3_750_000)
        #expect(lease.deadline == 4_000_000)
        #expect(lease.beat(at: 4_000_000).isEmpty)
        #expect(lease.state == .unsure)
    }

    @Test("an answer that comes after its time is none")
    func late() {
        var lease = Self.active()
        Self.beat(&lease, from: 0, to: 4_000_000)
        lease.renewed(servingPeers: 1, at: 4_000_000)
        #expect(lease.state == .unsure)
    }

    @Test("is renewed once a second while a slot is near, and else once a minute")
    func pace() {
        var lease = Self.active()
        let steps = Self.beat(&lease, from: 0, to: 9_750_000) { _, now, lease in
            lease.renewed(servingPeers: 0, at: now)
        }
        #expect(steps == Array(repeating: .renew, count: 10))
        lease.isActive = false
        let idle = Self.beat(&lease, from: 10_000_000, to: 129_000_000) { _, now, lease in
            lease.renewed(servingPeers: 0, at: now)
        }
        #expect(idle == [.renew, .renew])
    }

    @Test("a pause of a second ends it, until an answer to a question that was asked after the pause")
    func pause() {
        var lease = Self.active()
        _ = lease.beat(at: 0)
        lease.renewed(servingPeers: 2, at: 1000)
        #expect(lease.beat(at: 999_999).isEmpty)
        #expect(lease.state == .held(until: 4_000_000))
        // The renewal of this beat is under way as the process is paused.
        #expect(lease.beat(at: 1_500_000) == [.renew])
        #expect(lease.beat(at: 2_500_000).isEmpty)
        #expect(lease.state == .unsure)
        lease.renewed(servingPeers: 2, at: 2_500_001)
        #expect(lease.state == .unsure)
        #expect(lease.beat(at: 2_750_000) == [.renew])
        lease.renewed(servingPeers: 2, at: 2_760_000)
        #expect(lease.state == .held(until: 6_750_000))
    }

    @Test("no thread answers a second after the last heartbeat, though no check has noticed the pause yet")
    func deadline() {
        let now = Atomic<Int64>(0)
        let wake = WakeSignal()
        let clock = LeaseClock(now: { now.load(ordering: .relaxed) }, wake: wake)
        #expect(!clock.mayAnswer)
        let lease = Self.held(servingPeers: 0)
        #expect(clock.isWanted)
        #expect(clock.set(lease.deadline), "a caller was refused, and only this call can say that it is over")
        #expect(!clock.isWanted && !clock.set(lease.deadline))
        now.store(999_999, ordering: .relaxed)
        #expect(clock.mayAnswer)
        now.store(1_000_000, ordering: .relaxed)
        #expect(!clock.mayAnswer)
        #expect(clock.set(.min) && clock.isWanted)
    }

    @Test("without the database it goes on while the peers answer, who are asked before the lease is past")
    func peers() {
        var lease = Self.held(servingPeers: 2)
        var asked: [Int64] = []
        for now in stride(from: Int64(250_000), through: 10_000_000, by: 250_000) {
            for step in lease.beat(at: now) {
                Self.fail(step, now, &lease)
                if step == .askPeers {
                    asked.append(now)
                    lease.peersAnswered(reached: 1, at: now)
                }
            }
            #expect(lease.deadline > now)
        }
        #expect(asked.first == 3_000_000 && asked.count == 8)
        #expect(lease.state == .byPeers(until: 12_000_000))
        // The database is back.
        lease.renewed(servingPeers: 2, at: 10_000_000)
        #expect(lease.state == .held(until: 14_000_000))
    }

    @Test(
        "without the database and with peers of which none answers it goes on, but only once they were asked")
    func cut() {
        var lease = Self.held(servingPeers: 1)
        let steps = Self.beat(&lease, from: 250_000, to: 5_000_000, Self.fail)
        #expect(steps.filter { $0 == .askPeers }.count == 1)
        #expect(lease.state == .unsure)
        lease.peersAnswered(reached: 0, at: 5_000_000)
        // The question was asked too long ago.
        #expect(lease.state == .unsure)
        #expect(lease.beat(at: 5_250_000).contains(.askPeers))
        lease.peersAnswered(reached: 0, at: 6_250_000)
        #expect(lease.state == .alone(until: 7_250_000))
    }

    @Test("without the database and without peers it goes on at once")
    func single() {
        var lease = Self.held(servingPeers: 0)
        for now in stride(from: Int64(250_000), through: 60_000_000, by: 250_000) {
            for step in lease.beat(at: now) {
                #expect(step == .renew)
                Self.fail(step, now, &lease)
            }
            #expect(lease.deadline > now)
        }
    }

    @Test("one that has never been renewed relies on nothing, and asks the database alone")
    func never() {
        var lease = Self.active()
        let steps = Self.beat(&lease, from: 0, to: 20_000_000, Self.fail)
        #expect(!steps.contains(.askPeers) && lease.state == .unsure)
    }
}
