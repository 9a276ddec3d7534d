/// The answer of `GET /v1/stats`: how the caller's sessions went.
///
/// A slot counts once, for the best that became of it. Sessions that an outage of the service overlapped, and
/// those that lapsed, are excused: they count neither for nor against anybody, and leave a streak as it is.
public struct Stats: Codable, Hashable, Sendable {
    /// How soon the caller entered, over the sessions that were attended.
    public struct Punctuality: Codable, Hashable, Sendable {
        /// Seconds from the opening of the room to the entry, where half of the sessions were sooner.
        public var medianSeconds: Int64
        /// The average of the same.
        public var meanSeconds: Int64

        public init(medianSeconds: Int64, meanSeconds: Int64) {
            self.medianSeconds = medianSeconds
            self.meanSeconds = meanSeconds
        }
    }

    public var attended: Int64
    public var missed: Int64
    /// Cancelled when the room was open already, so that somebody was left without a partner.
    public var lateCancellations: Int64
    /// Left out until a session was attended.
    public var punctuality: Punctuality?
    /// Sessions attended since the last that was missed or cancelled late.
    public var currentStreak: Int64
    public var longestStreak: Int64
    public var alesSent: Int64
    public var alesReceived: Int64
    /// People who entered the same room; those whose account is gone are not among them.
    public var partnersMet: Int64

    public init(
        attended: Int64, missed: Int64, lateCancellations: Int64, punctuality: Punctuality?,
        currentStreak: Int64, longestStreak: Int64, alesSent: Int64, alesReceived: Int64, partnersMet: Int64
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
    }
}
