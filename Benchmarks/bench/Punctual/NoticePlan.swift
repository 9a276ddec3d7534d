import Contract

/// The plan of event streams that are told of slots.
struct NoticePlan {
    var port: UInt16
    /// The API tokens, one for each person, who holds one event stream.
    var tokens: [String]
    /// The start of each slot, in order. All people are registered for all of them.
    var slots: [Timestamp]
    /// The time before a slot's start at which all people are to be notified.
    var lead: Duration
    /// The time after the last due instant that late notifications are waited for.
    var patience: Duration
    /// The number of streams that are opened at a time.
    var parallel: Int

    /// Returns the instant at which all people are to be notified of the slot.
    func due(_ slot: Int) -> Timestamp { slots[slot].adding(.zero - lead) }
}
