/// The half-open interval of a slot, without its end.
public struct SlotSpan: Codable, Hashable, Sendable {
    public var startsAt: Timestamp
    public var endsAt: Timestamp

    public init(startsAt: Timestamp, endsAt: Timestamp) {
        self.startsAt = startsAt
        self.endsAt = endsAt
    }
}
