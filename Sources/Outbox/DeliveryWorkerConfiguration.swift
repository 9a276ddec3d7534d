/// The bounds of a delivery worker.
package struct DeliveryWorkerConfiguration: Sendable {
    /// Attempts under way at once, in all; but for those of hosts that are named in `limits`, which have
    /// places of their own. A quarter of these places is for what is urgent, and half of them for hosts that
    /// have shown that they answer; of the rest a quarter is for hosts that have answered before.
    package var maximumInFlight = 1_024
    /// And for each host.
    package var maximumPerHost = 128
    /// And for those that are named here, whether or not they have answered yet.
    package var limits: [String: Int] = [:]
    /// So begin the names of hosts that many people's deliveries go to: those named in `limits`, and these.
    package var services: [String] = []
    /// To one host, for all its endpoints, in a second on average; zero: no bound. It is for hosts that users
    /// name: not for those in `limits`, and not for `known`.
    package var perHostRate = 0
    /// Hosts that everybody's deliveries may go to; one that begins with a dot stands for all below it.
    package var known: [String] = []
    /// Endpoints of such a host that take nothing, while none takes something, after which it is left alone
    /// for a while: it may never have asked for any of this.
    package var maximumRefusals = 32
    /// Nothing is claimed for these: another delivery worker sends that, or nobody does.
    package var barred: Set<String> = []
    /// And for a host that has not answered the last time, or slowly. Twice as many are claimed.
    package var maximumUnproven = 16
    /// And for one that has not answered yet.
    package var maximumUnknown = 2
    /// An answer that took longer is a slow one.
    package var slowness = Duration.seconds(2)
    /// What is claimed besides for a host that answers, so that it has not to wait for the store.
    package var maximumAhead = 384
    /// What is claimed at once.
    package var maximumClaim = 512
    /// What is claimed and not settled, in all.
    package var maximumClaimed = 4_096
    /// A delivery worker that has not said for so long that it lives has lost what it claimed.
    package var lease = Duration.seconds(4)
    /// How often it says so, while it has something.
    package var renewal = Duration.seconds(1)
    /// What is due and was not to be had is asked for again after so long.
    package var shortestSleep = Duration.milliseconds(50)
    /// Without a change event the store is asked that often.
    package var longestSleep = Duration.seconds(60)
    package var schedule = RetrySchedule.standard

    package init() {}

    /// What may be sent to a host at once, where nothing was for long.
    var perHostBurst: Int { perHostRate * 10 }

    /// Whether anybody can aim deliveries there.
    func isMetered(_ host: String) -> Bool {
        guard perHostRate > 0, limits[host] == nil else { return false }
        return !known.contains { $0.hasPrefix(".") ? host.hasSuffix($0) : host == $0 }
    }

    package func limit(of host: String) -> Int { limits[host] ?? maximumPerHost }

    /// How long a host is left alone at most. What many wait for is asked after soon: what is urgent has its
    /// point for a minute.
    package func longestPause(of host: String) -> Duration {
        let isService = limits[host] != nil || services.contains { host.hasPrefix($0) }
        return isService ? Circuit.urgentPause : Circuit.longestPause
    }

    /// How many attempts may be under way at once for a host that has not shown that it answers.
    func unprovenLimit(of host: String) -> Int { limits[host] ?? min(maximumPerHost, maximumUnproven) }

    /// How many attempts may be under way at once for a host that nothing was heard of.
    func unknownLimit(of host: String) -> Int { limits[host] ?? min(maximumPerHost, maximumUnknown) }

    /// Places for what is not urgent.
    var usualPlaces: Int { maximumInFlight - maximumInFlight / 4 }

    /// Places for all hosts together that have not shown that they answer.
    var unprovenPlaces: Int { max(1, maximumInFlight / 2) }

    /// And of these, for hosts that nothing was heard of.
    var unknownPlaces: Int { unprovenPlaces - unprovenPlaces / 4 }

    /// And for hosts that are tried again after a pause: most of them are still silent, and take long to show
    /// it.
    var probePlaces: Int { max(1, unprovenPlaces / 4) }
}
