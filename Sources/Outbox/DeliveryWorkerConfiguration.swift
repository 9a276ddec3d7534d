import Codecs
package import Reactor

/// The bounds of a delivery worker.
package struct DeliveryWorkerConfiguration: Sendable {
    /// The maximum number of attempts under way at once, without those of hosts named in `limits`, which have
    /// places of their own.
    package var maximumInFlight = 1_024
    /// The descriptors of attempts at hosts that are not named in `limits`; nil for no bound. A delivery for
    /// which there is none waits.
    package var descriptors: DescriptorBudget.Share?
    /// The maximum number of attempts under way at once for each host.
    package var maximumPerHost = 128
    /// The maximum numbers for the hosts named here, whether or not they have answered yet.
    package var limits: [String: Int] = [:]
    /// Prefixes of the names of hosts that many people's deliveries go to, in addition to the hosts in
    /// `limits`.
    package var services: [String] = []
    /// The average number of deliveries per second to one host, for all its endpoints; zero: no bound. It
    /// applies to hosts that users name, not to those in `limits` or `known`.
    package var perHostRate = 0
    /// Hosts that deliveries of all accounts may go to; a name that begins with a dot stands for all hosts
    /// below it.
    package var known: [String] = []
    /// Hosts for which nothing is claimed: another delivery worker sends to them, or none does.
    package var barred: Set<String> = []
    /// The maximum number of attempts under way for a host whose latest attempt got no answer, or that has
    /// had none.
    package var maximumUnanswered = 1
    /// The maximum number of deliveries of one user in a claim. Nothing is claimed for a user of whose
    /// deliveries more than half as many are claimed and have not ended.
    package var maximumPerUser = 64
    /// The number of deliveries claimed ahead for a host that answers, so that it does not wait for the
    /// store.
    package var maximumAhead = 384
    /// The maximum number of deliveries in one claim.
    package var maximumClaim = 512
    /// The maximum number of deliveries that are claimed and not settled.
    package var maximumClaimed = 4_096
    /// The duration of a lease: a delivery worker that does not prolong it in time loses its claims.
    package var lease = Duration.seconds(4)
    /// The interval at which a delivery worker that has work prolongs its lease.
    package var renewal = Duration.seconds(1)
    /// The pause before due deliveries that could not be claimed are asked for again.
    package var shortestSleep = Duration.milliseconds(50)
    /// The interval at which the store is asked without a change event.
    package var longestSleep = Duration.seconds(60)
    package var schedule = RetrySchedule.standard
    /// The pauses after claims that failed.
    let claimBackoff = Backoff(first: .milliseconds(200), longest: .seconds(5))
    /// The pauses after settlements that failed.
    let settleBackoff = Backoff(first: .milliseconds(100), longest: .seconds(2))

    package init() {}

    /// Returns the limit of the deliveries to a host at which any user can aim some; nil for other hosts. A
    /// host that has received none for a long time may receive those of ten seconds at once.
    func rate(of host: String) -> Rate? {
        guard perHostRate > 0, limits[host] == nil,
            !known.contains(where: { $0.hasPrefix(".") ? host.hasSuffix($0) : host == $0 })
        else { return nil }
        return Rate(perHostRate, perNanoseconds: 1_000_000_000, burst: perHostRate * 10)
    }

    /// Returns the longest pause of a host. It is short for a host that many people's deliveries wait for:
    /// urgent ones expire after a minute.
    package func longestPause(of host: String) -> Duration {
        let isService = limits[host] != nil || services.contains { host.hasPrefix($0) }
        return isService ? Host.urgentPause : Host.longestPause
    }

    /// The number of places for deliveries that are not urgent.
    var usualPlaces: Int { maximumInFlight - maximumInFlight / 4 }

    /// The number of places for all hosts together that do not answer, or have not yet.
    var unansweredPlaces: Int { max(1, maximumInFlight / 2) }
}
