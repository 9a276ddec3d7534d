extension Routes {
    public static let stats = "/v1/stats"
}

/// The answer of `GET /v1/stats`: statistics about the caller's sessions.
///
/// A slot counts once, by its best result. Sessions that lapsed or overlapped an outage of the service do not
/// count and do not end a streak.
public struct Stats: Codable, Hashable, Sendable {
    /// The delay of the caller's entries, over all attended sessions.
    public struct Punctuality: Codable, Hashable, Sendable {
        /// The median time from the opening of the room to the entry, in seconds.
        public var medianSeconds: Int64
        /// The mean time from the opening of the room to the entry, in seconds.
        public var meanSeconds: Int64

        public init(medianSeconds: Int64, meanSeconds: Int64) {
            self.medianSeconds = medianSeconds
            self.meanSeconds = meanSeconds
        }
    }

    /// The numbers of sessions by the outcome that the caller has set.
    public struct Outcomes: Codable, Hashable, Sendable {
        public var done: Int64
        public var partly: Int64
        public var not: Int64
        /// The share of `done`, in whole percent.
        public var donePercent: Int64

        /// Makes the outcomes of these numbers; nil if all are 0.
        public init?(done: Int64, partly: Int64, not: Int64) {
            let all = done + partly + not
            guard all > 0 else { return nil }
            (self.done, self.partly, self.not) = (done, partly, not)
            donePercent = (done * 200 + all) / (all * 2)
        }
    }

    public var attended: Int64
    public var missed: Int64
    /// The number of cancellations after the room opened that left another member without a partner.
    public var lateCancellations: Int64
    /// The punctuality; nil before the first attended session.
    public var punctuality: Punctuality?
    /// The number of attended sessions since the last one that was missed or cancelled late.
    public var currentStreak: Int64
    public var longestStreak: Int64
    public var alesSent: Int64
    public var alesReceived: Int64
    /// The number of people who entered a room of the caller, without deleted accounts.
    public var partnersMet: Int64
    /// The outcomes; nil before the first.
    public var outcomes: Outcomes?

    public init(
        attended: Int64, missed: Int64, lateCancellations: Int64, punctuality: Punctuality?,
        currentStreak: Int64, longestStreak: Int64, alesSent: Int64, alesReceived: Int64, partnersMet: Int64,
        outcomes: Outcomes? = nil
    ) {
        self.attended = attended
        self.missed = missed
        self.lateCancellations = lateCancellations
        self.punctuality = punctuality
        self.currentStreak = currentStreak
        self.longestStreak = longestStreak
        self.alesSent = alesSent
        self.alesReceived = alesReceived
        self.partnersMet = partnersMet
        self.outcomes = outcomes
    }
}
