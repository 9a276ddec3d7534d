/// The bounds of a courier.
package struct CourierConfiguration: Sendable {
    /// Attempts under way at once, in all.
    package var maximumInFlight = 1_024
    /// And for each host.
    package var maximumPerHost = 128
    /// A courier that has not said for so long that it lives has lost what it claimed.
    package var lease = Duration.seconds(4)
    /// How often it says so.
    package var renewal = Duration.seconds(1)
    /// Without a hint the store is asked that often.
    package var longestSleep = Duration.seconds(30)
    package var schedule = RetrySchedule.standard

    package init() {}
}
