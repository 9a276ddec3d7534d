/// One slot of a day, for the person who asked.
public struct SlotView: Codable, Hashable, Sendable {
    public var startsAt: Timestamp
    public var endsAt: Timestamp
    /// The start on a clock in the zone that was asked for.
    public var localTime: String
    public var state: SlotState
    public var message: String
    /// How many others are registered.
    public var others: Int
    /// Left out where the person is not registered.
    public var registrationId: Identifier?
    /// Left out where there is no room yet.
    public var roomId: Identifier?

    /// The message follows from the state.
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
