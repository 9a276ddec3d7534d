/// One slot of a day, as the caller sees it.
public struct SlotView: Codable, Hashable, Sendable {
    public var startsAt: Timestamp
    public var endsAt: Timestamp
    /// The local time of the start, in the requested zone.
    public var localTime: String
    public var state: SlotState
    public var message: String
    /// The number of other registered people.
    public var others: Int
    /// The person's registration; left out if there is none.
    public var registrationId: Identifier?
    /// The room; left out if there is none yet.
    public var roomId: Identifier?

    /// Makes a view; its message follows from the state.
    public init(
        startsAt: Timestamp, endsAt: Timestamp, localTime: String, state: SlotState, others: Int,
        registrationId: Identifier? = nil, roomId: Identifier? = nil
    ) {
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.localTime = localTime
        self.state = state
        self.message = state.message(others: others)
        self.others = others
        self.registrationId = registrationId
        self.roomId = roomId
    }
}
