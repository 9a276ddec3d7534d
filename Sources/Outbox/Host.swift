import Codecs
import Contract

/// The attempts at one host, its circuit breaker and its rate: see `Dispatcher`.
struct Host {
    /// The number of attempts in a row without an answer that open the breaker.
    static let threshold = 5
    static let longestPause = Duration.seconds(300)
    /// The longest pause for urgent deliveries, and of services that many people's deliveries go to.
    static let urgentPause = Duration.seconds(10)
    /// The maximum number of hosts that are remembered, and of those without attempts under way that an idle
    /// worker remembers; `memory` is how long.
    static let (capacity, idleCapacity) = (10_000, 1_000)
    static let memory = Duration.seconds(600)
    private static let firstPause = Duration.seconds(5)

    private(set) var underWay = 0
    /// Whether the latest attempt that ended got an answer.
    private(set) var answers = false
    /// The instant at which the latest attempt ended.
    private(set) var usedAt = Timestamp(seconds: 0)
    /// The attempts in a row without an answer.
    private var misses = 0
    /// The end of the pause of an open breaker, and the earlier one for urgent deliveries.
    private var (until, urgentFrom) = (Timestamp(seconds: 0), Timestamp(seconds: 0))
    private var isProbing = false
    private var meter = ResettableRateMeter()

    var isOpen: Bool { misses >= Self.threshold }

    /// The ends of the pauses of an open breaker.
    var probes: [Timestamp] { isOpen ? [urgentFrom, until] : [] }

    /// Whether nothing may begin: the host is left alone, or one attempt is probing it.
    func isShut(isUrgent: Bool, at now: Timestamp) -> Bool {
        isOpen && (isProbing || (isUrgent ? urgentFrom : until) > now)
    }

    /// Records that an attempt begins. `rate` is nil for no bound.
    mutating func begin(rate: Rate?, at now: Timestamp) {
        underWay += 1
        isProbing = isOpen
        if let rate { meter.charge(of: rate, at: now.nanoseconds) }
    }

    /// Records the end of an attempt; an `outcome` of nil means that it was given up.
    mutating func end(_ outcome: Outcome?, longestPause: Duration, at now: Timestamp) {
        underWay -= 1
        usedAt = now
        let wasProbe = isProbing
        isProbing = false
        switch outcome?.isAnswer {
        case true?: (answers, misses) = (true, 0)
        case false?:
            answers = false
            // Attempts that began before the breaker opened end during its pause.
            guard !isOpen || urgentFrom <= now else { return }
            misses += 1
            let pause = Backoff(first: Self.firstPause, longest: longestPause)
                .delay(afterFailures: misses - Self.threshold + 1)
            (until, urgentFrom) = (now.adding(pause), now.adding(min(pause, Self.urgentPause)))
        // Nothing was learned: the host may be probed again at once.
        case nil: if wasProbe { (until, urgentFrom) = (now, now) }
        }
    }

    /// Returns the number of attempts that the rate allows now.
    func allowance(_ rate: Rate, at now: Timestamp) -> Int { meter.available(of: rate, at: now.nanoseconds) }

    /// Returns the instant from which the rate allows `count` attempts; `now` if it does already.
    func refilled(to count: Int, _ rate: Rate, at now: Timestamp) -> Timestamp {
        Timestamp(nanoseconds: meter.available(count, of: rate, from: now.nanoseconds))
    }
}
