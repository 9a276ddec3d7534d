import Contract

/// What the scheduler does side by side: one thing for each slot at a time, and not too much of either kind, so that
/// large slots leave a place for others.
struct WorkUnderWay {
    /// Matches, and everything else that is done in slots.
    static let limits = (matches: 3, others: 2)
    /// Connections to the database that all of it takes, with one for the agenda and for notes.
    static let connections = limits.matches + limits.others + 1

    private var slots: [Timestamp: Agenda.Task] = [:]

    /// Those of what is due that can be begun now; they are under way from here on.
    mutating func take(
        _ due: [(startsAt: Timestamp, task: Agenda.Task)]
    ) -> [(startsAt: Timestamp, task: Agenda.Task)] {
        var taken: [(startsAt: Timestamp, task: Agenda.Task)] = []
        for (startsAt, task) in due where slots[startsAt] == nil {
            let isMatch = task == .match
            let count = slots.values.count { ($0 == .match) == isMatch }
            if count >= (isMatch ? Self.limits.matches : Self.limits.others) { continue }
            slots[startsAt] = task
            taken.append((startsAt, task))
        }
        return taken
    }

    mutating func end(_ startsAt: Timestamp) { slots[startsAt] = nil }

    func contains(_ startsAt: Timestamp) -> Bool { slots[startsAt] != nil }
}
