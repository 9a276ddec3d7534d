package import Contract

/// What the scheduler does side by side: one thing for each slot at a time, and not too much of either kind,
/// so that large slots leave a place for others.
///
/// Closings can wait: those of a backlog leave a place for what else is done in slots, and none takes the
/// last place.
package struct WorkUnderWay {
    /// Matches, everything else that is done in slots, and the closings among it.
    package static let limits = (matches: 3, others: 3, closings: 2)
    /// Connections to the database that all of it takes, with one for the agenda and for notes.
    package static let connections = limits.matches + limits.others + 1
    /// Fewer do not work: a closing would take the only one.
    package static let leastConnections = 2

    private let places: Int
    private var slots: [Timestamp: Agenda.Task] = [:]

    /// Shares out so many connections; one is kept for the agenda and for notes where there are more than
    /// two.
    package init(connections: Int = Self.connections) {
        precondition(connections >= Self.leastConnections)
        places = max(Self.leastConnections, min(connections, Self.connections) - 1)
    }

    /// Those of what is due that can be begun now, in its order; they are under way from here on.
    package mutating func take(
        _ due: [(startsAt: Timestamp, task: Agenda.Task)]
    ) -> [(startsAt: Timestamp, task: Agenda.Task)] {
        var taken: [(startsAt: Timestamp, task: Agenda.Task)] = []
        for (startsAt, task) in due where slots[startsAt] == nil && hasPlace(for: task) {
            slots[startsAt] = task
            taken.append((startsAt, task))
        }
        return taken
    }

    package mutating func end(_ startsAt: Timestamp) { slots[startsAt] = nil }

    package func contains(_ startsAt: Timestamp) -> Bool { slots[startsAt] != nil }

    private func hasPlace(for task: Agenda.Task) -> Bool {
        let free = places - slots.count
        let matches = slots.values.count { $0 == .match }
        let others = slots.count - matches
        switch task {
        case .match: return free > 0 && matches < Self.limits.matches
        case .serve, .plan: return free > 0 && others < Self.limits.others
        case .close:
            let closings = slots.values.count { $0 == .close }
            return free > 1 && others < Self.limits.others && closings < Self.limits.closings
        }
    }
}
