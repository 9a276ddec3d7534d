import Contract
import Testing

@testable import Outbox

@Suite struct DispatcherTests {
    private let now = Timestamp(seconds: 1_800_000_000)
    private static let silence = Outcome.failed(Outcome.Failure("no answer", isHostFault: true))
    private static let success = Outcome.delivered("200")

    /// A dispatcher, and the deliveries that it is given.
    private struct Subject {
        var dispatcher: Dispatcher<String>
        private var last: Int64 = 0

        init(_ change: (inout DeliveryWorkerConfiguration) -> Void = { _ in }) {
            var configuration = DeliveryWorkerConfiguration()
            change(&configuration)
            dispatcher = Dispatcher(configuration, using: SystemRandomNumberGenerator())
        }

        /// Adds a delivery to an endpoint of a user of its own, if there is no other one.
        mutating func add(
            _ host: String, priority: Int = 1, user: Identifier? = nil, expiresAt: Timestamp? = nil
        ) {
            last += 1
            let endpoint = user ?? Identifier(value: UInt128(last))
            let delivery = Delivery(
                id: last, endpoint: endpoint, host: host, priority: priority, attempts: 0,
                expiresAt: expiresAt, message: "")
            dispatcher.add([delivery], within: ClaimBounds(others: 1_000))
        }

        /// Begins as many attempts at the host as have room, and returns them.
        mutating func begin(
            _ host: String, atMost most: Int = .max, priority: Int = 1, user: Identifier? = nil,
            at now: Timestamp
        ) -> [Delivery<String>] {
            var begun: [Delivery<String>] = []
            while begun.count < most {
                add(host, priority: priority, user: user)
                guard let next = dispatcher.next(for: host, at: now) else {
                    // The last one was postponed, or waits.
                    dispatcher.postponeWaiting(at: now)
                    break
                }
                begun.append(next)
            }
            return begun
        }

        mutating func end(_ delivery: Delivery<String>, _ outcome: Outcome, at now: Timestamp) {
            _ = dispatcher.ended(delivery, outcome, after: .seconds(1), at: now, goesOn: false)
        }

        /// Attempts one delivery after the other; returns how many began.
        @discardableResult
        mutating func attempt(
            _ host: String, _ outcome: Outcome, times: Int = 1, priority: Int = 1, at now: Timestamp
        ) -> Int {
            var count = 0
            for _ in 0..<times {
                for delivery in begin(host, atMost: 1, priority: priority, at: now) {
                    end(delivery, outcome, at: now)
                    count += 1
                }
            }
            return count
        }

        func bound(_ host: String, at now: Timestamp) -> Int { dispatcher.bounds(at: now)[host] }
    }

    @Test("Urgent deliveries overtake, and those of one priority keep their order")
    func order() {
        var subject = Subject { $0.limits = ["push": 10] }
        for priority in [1, 2, 1, 0, 2, 0] { subject.add("push", priority: priority) }
        var ids: [Int64] = []
        while let next = subject.dispatcher.next(at: now) { ids.append(next.id) }
        #expect(ids == [4, 6, 1, 3, 2, 5])
    }

    @Test("The next attempt is at the host whose delivery is the most urgent")
    func mostUrgent() {
        var subject = Subject()
        for (host, priority) in [("a", 2), ("b", 0), ("c", 1)] { subject.add(host, priority: priority) }
        var hosts: [String] = []
        while let next = subject.dispatcher.next(at: now) { hosts.append(next.host) }
        #expect(hosts == ["b", "c", "a"])
    }

    @Test("Deliveries to hosts that have not answered are not claimed while a whole claim of them waits")
    func waitingForSilent() {
        var subject = Subject { $0.maximumClaim = 4 }
        subject.attempt("answers", Self.success, at: now)
        for host in 0..<4 { subject.add("host \(host)") }
        #expect(subject.bound("another", at: now) == 0 && subject.bound("answers", at: now) > 1)
        _ = subject.dispatcher.next(for: "host 0", at: now)
        #expect(subject.bound("another", at: now) == 1)
    }

    @Test("A host with places of its own is claimed for while hosts that do not answer have all of theirs")
    func ownPlaces() {
        var subject = Subject { ($0.maximumInFlight, $0.limits) = (4, ["push": 10]) }
        for host in 0..<2 { #expect(subject.begin("host \(host)", atMost: 1, at: now).count == 1) }
        #expect(subject.bound("another", at: now) == 0 && subject.bound("push", at: now) > 0)
    }

    @Test("Deliveries that wait for a host are given back when its breaker opens, however busy the worker is")
    func givenBack() {
        var subject = Subject { ($0.maximumInFlight, $0.maximumUnanswered) = (2, 1) }
        subject.attempt("host", Self.silence, times: Host.threshold - 1, at: now)
        let last = subject.begin("host", atMost: 1, at: now)
        subject.add("host")
        _ = subject.dispatcher.ended(
            last[0], Self.silence, after: .seconds(1), at: now, goesOn: true)
        #expect(subject.dispatcher.unsettled.last?.verdict == .postponed)
    }

    @Test("A user whose deliveries end during a claim that passed over them is claimed for afterwards")
    func servedDuringClaim() {
        let user = Identifier(value: 7)
        var subject = Subject { $0.maximumPerUser = 2 }
        subject.attempt("host", Self.success, at: now)
        let begun = subject.begin("host", atMost: 2, user: user, at: now)
        #expect(subject.dispatcher.claimBounds(at: now).served == [user])
        let wakes = begun.map { delivery in
            subject.dispatcher.ended(
                delivery, Self.success, after: .seconds(1), at: now, goesOn: true
            ).wakes
        }
        #expect(wakes == [true, false])
    }

    @Test("A quarter of the places is for urgent deliveries")
    func urgent() {
        var subject = Subject { ($0.maximumInFlight, $0.maximumPerHost) = (16, 16) }
        let hosts = (0..<20).map { "host \($0)" }
        for host in hosts { subject.attempt(host, Self.success, at: now) }
        #expect(hosts.map { subject.begin($0, at: now).count }.reduce(0, +) == 12)
        #expect(hosts.map { subject.begin($0, priority: 0, at: now).count }.reduce(0, +) == 4)
    }

    @Test("A busy host has a quarter of the places that are left, so that others find some")
    func quarter() {
        var subject = Subject()
        for host in ["a", "b", "c"] { subject.attempt(host, Self.success, at: now) }
        #expect(subject.begin("a", at: now).count == 128)
        #expect(subject.begin("b", at: now).count == 128)
        #expect(subject.begin("c", at: now).count == 103)
    }

    @Test("A host that has not answered has one attempt under way, and after an answer as many as it may")
    func unknown() {
        var subject = Subject()
        let first = subject.begin("host", at: now)
        #expect(first.count == 1)
        #expect(subject.bound("other", at: now) == 1)
        #expect(subject.bound("host", at: now) == 0)
        subject.end(first[0], Self.success, at: now)
        #expect(subject.bound("host", at: now) == 512)
        #expect(subject.begin("host", at: now).count == 128)
    }

    @Test("Hosts that do not answer have half of the places together")
    func unanswered() {
        var subject = Subject { $0.maximumInFlight = 16 }
        subject.attempt("proven", Self.success, at: now)
        let silent = (0..<20).flatMap { subject.begin("silent \($0)", priority: 0, at: now) }
        #expect(silent.count == 8)
        #expect(subject.bound("new", at: now) == 0)
        #expect(subject.begin("proven", at: now).count == 1)
        subject.end(silent[0], Self.success, at: now)
        #expect(subject.begin("new", at: now).count == 1)
    }

    @Test("A host with a limit of its own has it before it has answered, and takes no other host's places")
    func named() {
        var subject = Subject { ($0.maximumInFlight, $0.limits) = (16, ["push": 20]) }
        subject.attempt("proven", Self.success, at: now)
        #expect(subject.begin("push", at: now).count == 20)
        #expect(subject.begin("proven", at: now).count == 3)
        #expect(subject.dispatcher.statistics(at: now).inFlight == 23)
    }

    @Test("A host is known for ten minutes without use, and at most a thousand such hosts are")
    func memory() {
        var subject = Subject()
        subject.attempt("host", Self.success, at: now)
        subject.dispatcher.forgetIdleHosts(at: now.adding(.seconds(599)))
        #expect(subject.bound("host", at: now) == 512)
        subject.dispatcher.forgetIdleHosts(at: now.adding(.seconds(600)))
        #expect(subject.bound("host", at: now) == 1)
        for number in 0...Host.idleCapacity {
            subject.attempt("host \(number)", Self.success, at: now)
        }
        subject.dispatcher.forgetIdleHosts(at: now)
        #expect(subject.dispatcher.bounds(at: now).named.count == Host.idleCapacity)
    }

    @Test("A host is silent while it is left alone, and is forgotten ten minutes later")
    func silent() {
        var subject = Subject()
        subject.attempt("host", Self.silence, times: 5, at: now)
        #expect(subject.dispatcher.silentHosts(at: now.adding(.seconds(4))) == ["host"])
        let end = now.adding(.seconds(5))
        #expect(subject.dispatcher.silentHosts(at: end).isEmpty)
        subject.dispatcher.forgetIdleHosts(at: end.adding(.seconds(599)))
        #expect(subject.attempt("host", Self.silence, at: end) == 1)
        #expect(subject.attempt("host", Self.silence, at: end) == 0)
        subject.dispatcher.forgetIdleHosts(at: end.adding(.seconds(610)))
        #expect(subject.attempt("host", Self.silence, at: end) == 1)
    }

    /// Returns the pauses in seconds after so many attempts without an answer, of urgent deliveries and of
    /// others. Each attempt after the fifth comes at the end of the pause before.
    private func pauses(_ host: String, misses: Int) -> [Int64] {
        var subject = Subject { $0.services = ["browsers "] }
        var now = now
        subject.attempt(host, Self.silence, times: 5, at: now)
        func pause(_ priority: Int) -> Int64 {
            (0...400).first { seconds in
                var other = subject
                let later = now.adding(.seconds(seconds))
                return !other.begin(host, atMost: 1, priority: priority, at: later).isEmpty
            } ?? .max
        }
        for _ in 5..<misses {
            now = now.adding(.seconds(pause(1)))
            subject.attempt(host, Self.silence, at: now)
        }
        return [pause(0), pause(1)]
    }

    @Test("A host is left alone for five minutes at most, by urgent deliveries and as a service for 10 s")
    func pauses() {
        #expect(pauses("host", misses: 5) == [5, 5])
        #expect(pauses("host", misses: 6) == [10, 10])
        #expect(pauses("host", misses: 7) == [10, 20])
        #expect(pauses("host", misses: 13) == [10, 300])
        #expect(pauses("browsers host", misses: 13) == [10, 10])
    }

    @Test("Attempts that began before the breaker opened do not prolong its pause")
    func parallel() {
        var subject = Subject()
        subject.attempt("host", Self.success, at: now)
        for delivery in subject.begin("host", atMost: 100, at: now) {
            subject.end(delivery, Self.silence, at: now)
        }
        let probe = subject.begin("host", at: now.adding(.seconds(5)))
        #expect(probe.count == 1)
    }

    @Test("One urgent delivery of a host that is left alone is claimed, and probes it")
    func urgentOnly() {
        var subject = Subject()
        subject.attempt("host", Self.silence, times: 5, at: now)
        for seconds in [5, 15, 35] as [Int64] {
            subject.attempt("host", Self.silence, at: now.adding(.seconds(seconds)))
        }
        let (begun, later) = (now.adding(.seconds(35)), now.adding(.seconds(45)))
        #expect(subject.bound("host", at: begun) == 0)
        #expect(subject.dispatcher.nextProbe(after: begun) == later)
        #expect(subject.bound("host", at: later) == 1)
        #expect(subject.dispatcher.bounds(at: later).urgentOnly == ["host"])
        #expect(subject.begin("host", at: later).isEmpty)
        #expect(subject.begin("host", priority: 0, at: later).count == 1)
        #expect(subject.bound("host", at: later) == 0)
    }

    @Test("An attempt that sent nothing leaves the breaker as it is, and another one probes the host")
    func unsent() {
        var subject = Subject()
        subject.attempt("host", Self.silence, times: 5, at: now)
        let later = now.adding(.seconds(5))
        #expect(subject.attempt("host", .failed(.unsent("too late")), at: later) == 1)
        #expect(subject.attempt("host", Self.silence, times: 2, at: later) == 1)
        #expect(subject.begin("host", at: later.adding(.seconds(9))).isEmpty)
    }

    @Test("Errors of any number of endpoints do not close their host for others")
    func errors() {
        var subject = Subject { $0.perHostRate = 100 }
        let error = Outcome.failed(Outcome.Failure("500", retryAfter: .seconds(60), isHostFault: false))
        #expect(subject.attempt("host", error, times: 100, at: now) == 100)
        #expect(subject.dispatcher.silentHosts(at: now).isEmpty)
        #expect(subject.begin("host", at: now).count == 128)
    }

    @Test("An error gives back the deliveries that wait for its endpoint, and no others")
    func givesBack() {
        var subject = Subject { $0.maximumPerHost = 1 }
        let (failing, other) = (Identifier(value: 1_000), Identifier(value: 2_000))
        subject.attempt("host", Self.success, at: now)
        let first = subject.begin("host", atMost: 1, user: failing, at: now)
        for user in [failing, failing, other] { subject.add("host", user: user) }
        let error = Outcome.Failure("429", retryAfter: .seconds(60), isHostFault: false)
        let next = subject.dispatcher.ended(
            first[0], .failed(error), after: .zero, at: now, goesOn: true
        ).next
        #expect(next?.user == other)
        let last = subject.dispatcher.unsettled.suffix(3)
        #expect(last.map(\.askedPause) == [.seconds(60), nil, nil])
        #expect(last.dropFirst().allSatisfy { $0.verdict == .postponed && $0.endpoint == failing })
    }

    @Test("A user of whose deliveries more than half a share have not ended gets no more")
    func shares() {
        var subject = Subject { ($0.maximumPerUser, $0.limits) = (4, ["push": 100]) }
        let user = Identifier(value: 1_000)
        let begun = subject.begin("push", atMost: 3, user: user, at: now)
        #expect(subject.dispatcher.bounds(at: now).perUser == 4)
        #expect(subject.dispatcher.bounds(at: now).served == [user])
        subject.end(begun[0], Self.success, at: now)
        #expect(subject.dispatcher.bounds(at: now).served.isEmpty)
    }

    @Test("A host that users name gets so many a second, in bursts of ten times as many")
    func rate() {
        var subject = Subject {
            ($0.perHostRate, $0.known) = (10, ["push", ".notify.example.org"])
            ($0.maximumPerHost, $0.maximumUnanswered, $0.maximumInFlight) = (1_000, 1_000, 100_000)
        }
        func begun(_ host: String, at instant: Timestamp) -> Int {
            let begun = subject.begin(host, atMost: 500, at: instant)
            for delivery in begun { subject.end(delivery, Self.success, at: instant) }
            return begun.count
        }
        #expect(begun("host", at: now) == 100)
        #expect(subject.bound("host", at: now) == 0)
        #expect(subject.dispatcher.nextProbe(after: now) == now.adding(.milliseconds(100)))
        #expect(subject.bound("host", at: now.adding(.milliseconds(100))) == 1)
        #expect(begun("host", at: now.adding(.seconds(2))) == 20)
        #expect(begun("host", at: now.adding(.seconds(600))) == 100)
        // A clock that is set back does not change the pace.
        #expect(begun("host", at: now) == 0)
        #expect(begun("push", at: now) == 500)
        #expect(begun("a.notify.example.org", at: now) == 500)
    }
}
