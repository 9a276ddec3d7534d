import Codecs
package import Reactor

/// The bounds of a delivery worker.
package struct DeliveryWorkerConfiguration: Sendable {
    /// The maximum number of attempts under way at once, without those of hosts named in `limits`, which have
    /// places of their own. A quarter of the places is reserved for urgent deliveries, and half for hosts
    /// that have shown that they answer; a quarter of the other half is reserved for hosts that have answered
    /// before.
    package var maximumInFlight = 1_024
    /// The descriptors of attempts at hosts that are not named in `limits`; nil for no bound. A delivery for
    /// which there is none waits.
    package var descriptors: DescriptorBudget.Share?
    /// The maximum number of attempts under way at once for each host.
    package var maximumPerHost = 128
    /// The maximum numbers for the hosts named here, whether or not they have answered yet.
    package var limits: [String: Int] = [:]
    /// Prefixes of the names of hosts that many people's deliveries go to, besides the hosts in `limits`.
    package var services: [String] = []
    /// The average number of deliveries per second to one host, for all its endpoints; zero: no bound. It
    /// applies to hosts that users name, not to those in `limits` or `known`.
    package var perHostRate = 0
    /// Hosts that everybody's deliveries may go to; a name that begins with a dot stands for all hosts below
    /// it.
    package var known: [String] = []
    /// The number of refusing endpoints after which a host that users name is left alone for a while, if none
    /// of its endpoints accepts anything: the host may never have asked for any of this.
    package var maximumRefusals = 32
    /// Hosts for which nothing is claimed: another delivery worker sends to them, or none does.
    package var barred: Set<String> = []
    /// The maximum number of attempts under way for a host that did not answer the last time, or answered
    /// slowly. Twice as many are claimed.
    package var maximumUnproven = 16
    /// The maximum number of attempts under way for a host that has not answered yet.
    package var maximumUnknown = 2
    /// The duration beyond which an answer is slow.
    package var slowness = Duration.seconds(2)
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

    /// The number of deliveries that may be sent at once to a host that has received none for a long time.
    var perHostBurst: Int { perHostRate * 10 }

    /// Whether `perHostRate` applies to the host, since any user can aim deliveries at it.
    func isMetered(_ host: String) -> Bool {
        guard perHostRate > 0, limits[host] == nil else { return false }
        return !known.contains { $0.hasPrefix(".") ? host.hasSuffix($0) : host == $0 }
    }

    package func limit(of host: String) -> Int { limits[host] ?? maximumPerHost }

    /// Returns the longest pause of a host. It is short for a host that many people's deliveries wait for:
    /// urgent ones expire after a minute.
    package func longestPause(of host: String) -> Duration {
        let isService = limits[host] != nil || services.contains { host.hasPrefix($0) }
        return isService ? Circuit.urgentPause : Circuit.longestPause
    }

    /// Returns the maximum number of attempts under way at once for a host that has not shown that it
    /// answers.
    func unprovenLimit(of host: String) -> Int { limits[host] ?? min(maximumPerHost, maximumUnproven) }

    /// Returns the maximum number of attempts under way at once for a host that has not answered yet.
    func unknownLimit(of host: String) -> Int { limits[host] ?? min(maximumPerHost, maximumUnknown) }

    /// The number of places for deliveries that are not urgent.
    var usualPlaces: Int { maximumInFlight - maximumInFlight / 4 }

    /// The number of places for all hosts together that have not shown that they answer.
    var unprovenPlaces: Int { max(1, maximumInFlight / 2) }

    /// The number of these places for hosts that have not answered yet.
    var unknownPlaces: Int { unprovenPlaces - unprovenPlaces / 4 }

    /// The number of places for hosts that are tried again after a pause: most of them are still silent, and
    /// take long to show it.
    var probePlaces: Int { max(1, unprovenPlaces / 4) }
}
