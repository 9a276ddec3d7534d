import Contract

/// What `bench notices` is to do.
struct NoticePlan {
    var port: UInt16
    /// One for each person; each holds one event stream.
    var tokens: [String]
    /// The start of each slot, in order. Everybody is registered for all of them.
    var slots: [Timestamp]
    /// How long before a slot's start everybody is to be told.
    var lead: Duration
    /// After the last instant due, for whoever has not been told.
    var patience: Duration
    /// Streams that are opened at a time.
    var parallel: Int

    /// When everybody is to be told of the slot.
    func due(_ slot: Int) -> Timestamp { slots[slot].adding(.zero - lead) }
}
