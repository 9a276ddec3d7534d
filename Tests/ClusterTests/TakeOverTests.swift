import Database
import Testing

@testable import Cluster

@Suite("Taking over")
struct TakeOverTests {
    private static func facts(
        lease: Int?, isFree: Bool = true, _ change: (inout TakeOver.Facts) -> Void = { _ in }
    ) -> TakeOver.Facts {
        var facts = TakeOver.Facts(
            row: TakeOver.Row(leaseLeft: lease.map { .seconds($0) }, isLockFree: isFree))
        change(&facts)
        return facts
    }

    private static func decide(_ facts: TakeOver.Facts) -> TakeOver.Decision { TakeOver.decide(facts) }

    @Test("an owner without a row has gone, and its rooms are claimed at once")
    func noRow() {
        #expect(Self.decide(TakeOver.Facts(row: nil)) == .claim(.leaseIsPast))
    }

    @Test("within the lease only a refusal where it answered before, with a free lock, is enough")
    func refused() {
        for isRefused in [false, true] {
            for hasAnswered in [false, true] {
                for isFree in [false, true] {
                    let decision = Self.decide(
                        Self.facts(lease: 3, isFree: isFree) {
                            $0.isRefused = isRefused
                            $0.hasAnswered = hasAnswered
                            $0.reports = [.notReached]
                        })
                    let isDead = isRefused && hasAnswered && isFree
                    #expect(
                        decision == (isDead ? .claim(.processHasEnded) : .refuse(retryAfter: .seconds(3))))
                }
            }
        }
    }

    @Test("with the lease past the peers are asked before anything is claimed")
    func asks() {
        #expect(Self.decide(Self.facts(lease: 0)) == .ask)
        #expect(Self.decide(Self.facts(lease: -9, isFree: false)) == .ask)
    }

    @Test(
        "with the lease past a peer that reaches the owner prevents it, and so does silence of all peers",
        arguments: [
            ([], true), ([.notReached], true), ([.notReached, .silent], true), ([.silent], false),
            ([.silent, .silent], false), ([.notReached, .reached], false), ([.reached, .silent], false),
        ] as [([TakeOver.Report], Bool)])
    func reports(reports: [TakeOver.Report], isClaimed: Bool) {
        let decision = Self.decide(Self.facts(lease: -1, isFree: false) { $0.reports = reports })
        #expect(
            decision == (isClaimed ? .claim(.leaseIsPast) : .refuse(retryAfter: .seconds(1))))
    }

    @Test("an owner that answers a probe is left alone, whatever else is known")
    func reached() {
        let decision = Self.decide(
            Self.facts(lease: -100) {
                $0.isReached = true
                $0.hasAnswered = true
                $0.isRefused = true
                $0.reports = [.notReached]
            })
        #expect(decision == .refuse(retryAfter: .seconds(1)))
    }

    @Test("an owner of the previous version has no lease, and is left alone while its lock is held")
    func previous() {
        #expect(Self.decide(Self.facts(lease: nil, isFree: false)) == .refuse(retryAfter: .seconds(1)))
        #expect(Self.decide(Self.facts(lease: nil)) == .ask)
    }
}
