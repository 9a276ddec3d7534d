import Contract
import Outbox
import Testing

@testable import BackendTesting
@testable import Database

/// The requirements that a delivery worker has of every store.
@Suite("The stores of deliveries, in memory and in PostgreSQL")
struct OutboxStoreConformanceTests {
    enum Kind: CaseIterable, Sendable {
        case memory, postgres

        func with(_ body: @Sendable (any OutboxSubject) async throws -> Void) async throws {
            switch self {
            case .memory: try await body(MemoryOutboxSubject())
            case .postgres: try await RESTWorld.with { try await body(PostgresOutboxSubject($0)) }
            }
        }
    }

    private static let everything = ClaimBounds(others: 1_000)

    @Test("nothing is claimed without a lease, and nothing twice while it lives", arguments: Kind.allCases)
    func leases(kind: Kind) async throws {
        try await kind.with { subject in
            let ids = try await subject.add(5)
            let nobody = subject.deliveryWorker("nobody")
            #expect(try await nobody.claim(10, Self.everything).isEmpty)
            let (one, two) = (try await subject.livingWorker("one"), try await subject.livingWorker("two"))
            #expect(try await one.claim(3, Self.everything).map(\.id) == Array(ids.prefix(3)))
            #expect(try await two.claim(10, Self.everything).map(\.id) == Array(ids.suffix(2)))
            #expect(try await one.claim(10, Self.everything).isEmpty)
            #expect(try await two.claim(10, Self.everything).isEmpty)
        }
    }

    @Test("what a dead courier had passes on, and its word counts no more", arguments: Kind.allCases)
    func passesOn(kind: Kind) async throws {
        try await kind.with { subject in
            let ids = try await subject.add(2)
            let (one, two) = (try await subject.livingWorker("one"), try await subject.livingWorker("two"))
            let first = try await one.claim(10, Self.everything)
            // A worker cannot settle another's deliveries.
            try await two.settle(first.map { subject.settlement($0, .delivered) })
            #expect(try await subject.fates().allSatisfy { $0.outcome == nil && $0.attempts == 0 })
            try await subject.kill("one")
            #expect(try await two.nextDue(Self.everything) == subject.now)
            let second = try await two.claim(10, Self.everything)
            #expect(second == first && first.map(\.id) == ids)
            try await one.settle(first.map { subject.settlement($0, .refused) })
            try await two.settle(second.map { subject.settlement($0, .delivered) })
            let fates = try await subject.fates()
            #expect(fates.map(\.outcome) == ["delivered", "delivered"])
            #expect(fates.map(\.details) == [["so it went"], ["so it went"]])
        }
    }

    @Test("a courier that comes back after its lease starts again", arguments: Kind.allCases)
    func comesBack(kind: Kind) async throws {
        try await kind.with { subject in
            let ids = try await subject.add(2)
            let one = try await subject.livingWorker()
            #expect(try await one.claim(10, Self.everything).count == 2)
            try await subject.kill("one")
            #expect(try await one.claim(10, Self.everything).isEmpty)
            #expect(try await one.nextDue(Self.everything) == subject.now)
            subject.advance(by: .seconds(61))
            try await one.renew(.seconds(60))
            #expect(try await one.claim(10, Self.everything).map(\.id) == ids)
        }
    }

    @Test("what was claimed under the lease before is given up with it", arguments: Kind.allCases)
    func beginsAnew(kind: Kind) async throws {
        try await kind.with { subject in
            let ids = try await subject.add(2)
            let one = try await subject.livingWorker()
            #expect(try await one.claim(10, Self.everything).map(\.id) == ids)
            #expect(try await one.prolong(.seconds(60)))
            #expect(try await one.claim(10, Self.everything).isEmpty)
            try await one.renew(.seconds(60))
            #expect(try await one.claim(10, Self.everything).map(\.id) == ids)
        }
    }

    @Test("a lease that is over is not prolonged", arguments: Kind.allCases)
    func tooLate(kind: Kind) async throws {
        try await kind.with { subject in
            _ = try await subject.add(1)
            let one = try await subject.livingWorker()
            try await subject.kill("one")
            #expect(try await !one.prolong(.seconds(60)))
            #expect(try await one.claim(10, Self.everything).isEmpty)
        }
    }

    @Test("four at once have each delivery once", arguments: Kind.allCases)
    func fourAtOnce(kind: Kind) async throws {
        try await kind.with { subject in
            let ids = try await subject.add(150) + subject.add(150, to: "b")
            let claimed = try await withThrowingTaskGroup(of: [Int64].self) { group in
                for number in 0..<4 {
                    let deliveryWorker = try await subject.livingWorker("courier \(number)")
                    group.addTask { try await Self.claimAll(deliveryWorker) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(claimed.count == Set(claimed).count)
            // Deliveries that one claim skipped, since another had locked them, are left for the next claim.
            let rest = try await subject.livingWorker("last").claim(1_000, Self.everything)
            #expect((claimed + rest.map(\.id)).sorted() == ids)
        }
    }

    private static func claimAll(_ deliveryWorker: StoreUnderTest) async throws -> [Int64] {
        var all: [Int64] = []
        while true {
            let claimed = try await deliveryWorker.claim(7, everything)
            if claimed.isEmpty { return all }
            all += claimed.map(\.id)
        }
    }

    @Test("the urgent go first, then those due for longest, then the older", arguments: Kind.allCases)
    func order(kind: Kind) async throws {
        try await kind.with { subject in
            let late = try await subject.add(2, priority: 2, dueIn: .seconds(-9))
            let usual = try await subject.add(2, to: "b", priority: 1, dueIn: .seconds(-1))
            let earlier = try await subject.add(1, to: "c", priority: 1, dueIn: .seconds(-5))
            let urgent = try await subject.add(2, to: "d", priority: 0)
            let one = try await subject.livingWorker()
            let claimed = try await one.claim(10, Self.everything)
            #expect(claimed.map(\.id) == urgent + earlier + usual + late)
            #expect(claimed.map(\.priority) == [0, 0, 1, 1, 1, 2, 2])
        }
    }

    @Test("a claim keeps its limit, and each host gets what it can take", arguments: Kind.allCases)
    func bounds(kind: Kind) async throws {
        try await kind.with { subject in
            for host in ["a", "b", "full"] { _ = try await subject.add(4, to: host) }
            let one = try await subject.livingWorker()
            let bounds = ClaimBounds(others: 3, named: ["b": 1, "full": 0])
            let first = try await one.claim(3, bounds)
            #expect(first.count == 3)
            let rest = try await one.claim(100, bounds)
            let hosts = Dictionary(grouping: first + rest, by: \.host).mapValues(\.count)
            #expect(hosts["full"] == nil)
            // The bounds apply to one claim.
            #expect(hosts["a", default: 0] <= 4 && hosts["b", default: 0] <= 2)
            #expect(try await one.nextDue(ClaimBounds(others: 0)) == nil)
            #expect(try await one.nextDue(ClaimBounds(others: 0, named: ["full": 1])) == subject.now)
        }
    }

    @Test(
        "replayed deliveries get a quarter of what a host and a user can take, after all others",
        arguments: Kind.allCases)
    func replayed(kind: Kind) async throws {
        try await kind.with { subject in
            let replayed = try await subject.add(20, to: "a", priority: ClaimBounds.replayed)
            let one = try await subject.livingWorker()
            #expect(try await one.claim(20, ClaimBounds(others: 8)).map(\.id) == Array(replayed[..<2]))
            #expect(try await one.claim(20, ClaimBounds(others: 3)).map(\.id) == [replayed[2]])
            let few = ClaimBounds(others: 20, perUser: 8)
            #expect(try await one.claim(20, few).map(\.id) == Array(replayed[3..<5]))
            let usual = try await subject.add(3, to: "a")
            let both = try await one.claim(20, ClaimBounds(others: 16))
            #expect(both.map(\.id) == usual + [replayed[5]])
        }
    }

    @Test("of a host that can take what is urgent alone, the rest waits", arguments: Kind.allCases)
    func urgentOnly(kind: Kind) async throws {
        try await kind.with { subject in
            let usual = try await subject.add(2, to: "a", priority: 1)
            let one = try await subject.livingWorker()
            let bounds = ClaimBounds(others: 3, named: ["a": 1], urgentOnly: ["a"])
            #expect(try await one.claim(10, bounds).isEmpty)
            #expect(try await one.nextDue(bounds) == nil)
            let urgent = try await subject.add(1, to: "a", priority: 0)
            #expect(try await one.nextDue(bounds) == subject.now)
            #expect(try await one.claim(10, bounds).map(\.id) == urgent)
            #expect(try await one.claim(10, Self.everything).map(\.id) == usual)
        }
    }

    @Test("what is not due waits until then", arguments: Kind.allCases)
    func due(kind: Kind) async throws {
        try await kind.with { subject in
            let one = try await subject.livingWorker()
            #expect(try await one.nextDue(Self.everything) == nil)
            let due = subject.now.adding(.seconds(10))
            let ids = try await subject.add(1, dueIn: .seconds(10))
            #expect(try await one.claim(10, Self.everything).isEmpty)
            #expect(try await one.nextDue(Self.everything) == due)
            subject.advance(by: .seconds(10))
            #expect(try await one.claim(10, Self.everything).map(\.id) == ids)
            #expect(try await one.nextDue(Self.everything) == nil)
        }
    }

    @Test("a retry comes at its time, and its attempts are counted", arguments: Kind.allCases)
    func retry(kind: Kind) async throws {
        try await kind.with { subject in
            let ids = try await subject.add(1)
            let one = try await subject.livingWorker()
            for attempts in 0..<3 {
                let claimed = try await one.claim(10, Self.everything)
                #expect(claimed.map(\.attempts) == [attempts])
                let at = subject.now.adding(.seconds(20))
                try await one.settle(claimed.map { subject.settlement($0, .retry(at: at)) })
                #expect(try await one.claim(10, Self.everything).isEmpty)
                #expect(try await one.nextDue(Self.everything) == at)
                subject.advance(by: .seconds(20))
                try await one.renew(.seconds(60))
            }
            let fate = DeliveryFate(
                id: ids[0], attempts: 3, outcome: nil,
                details: Array(repeating: "so it went", count: 3))
            #expect(try await subject.fates() == [fate])
        }
    }

    @Test("what was put off was no attempt, and can be claimed at once", arguments: Kind.allCases)
    func postponed(kind: Kind) async throws {
        try await kind.with { subject in
            let ids = try await subject.add(1)
            let one = try await subject.livingWorker()
            let claimed = try await one.claim(10, Self.everything)
            try await one.settle(claimed.map { subject.settlement($0, .postponed, duration: nil) })
            let two = try await subject.livingWorker("two")
            #expect(try await two.claim(10, Self.everything) == claimed)
            #expect(
                try await subject.fates()
                    == [DeliveryFate(id: ids[0], attempts: 0, outcome: nil, details: [])])
        }
    }

    @Test("the end of its use comes with a delivery, and counts no attempt", arguments: Kind.allCases)
    func expiry(kind: Kind) async throws {
        try await kind.with { subject in
            let ids = try await subject.add(
                1, to: "a", priority: 0, dueIn: .zero, expiresIn: .seconds(30))
            let one = try await subject.livingWorker()
            let claimed = try await one.claim(10, Self.everything)
            #expect(claimed.map(\.expiresAt) == [subject.now.adding(.seconds(30))])
            try await one.settle(claimed.map { subject.settlement($0, .expired, duration: nil) })
            #expect(try await one.nextDue(Self.everything) == nil)
            #expect(
                try await subject.fates()
                    == [DeliveryFate(id: ids[0], attempts: 0, outcome: "expired", details: ["so it went"])])
        }
    }

    @Test(
        "what is over is over, and is settled once",
        arguments: Kind.allCases, [Verdict.delivered, .exhausted, .refused, .expired, .gone])
    func over(kind: Kind, verdict: Verdict) async throws {
        try await kind.with { subject in
            let ids = try await subject.add(1)
            let one = try await subject.livingWorker()
            let claimed = try await one.claim(10, Self.everything)
            try await one.settle(claimed.map { subject.settlement($0, verdict) })
            try await one.settle(claimed.map { subject.settlement($0, .retry(at: subject.now)) })
            #expect(try await one.claim(10, Self.everything).isEmpty)
            #expect(try await one.nextDue(Self.everything) == nil)
            let outcome = SettlementWriter.outcome(of: verdict)
            #expect(
                try await subject.fates()
                    == [DeliveryFate(id: ids[0], attempts: 1, outcome: outcome, details: ["so it went"])])
        }
    }

    @Test("an endpoint that is gone takes along what waits for it", arguments: Kind.allCases)
    func gone(kind: Kind) async throws {
        try await kind.with { subject in
            _ = try await subject.add(2)
            let others = try await subject.add(1)
            let one = try await subject.livingWorker()
            let claimed = try await one.claim(1, Self.everything)
            try await one.settle(claimed.map { subject.settlement($0, .gone) })
            #expect(try await one.claim(10, Self.everything).map(\.id) == others)
            let fates = try await subject.fates()
            #expect(fates.map(\.outcome) == ["gone", "gone", nil])
            #expect(fates.map(\.attempts) == [1, 0, 0])
        }
    }
}
