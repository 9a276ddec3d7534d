package import Contract

/// The scheduler's work that is under way: one task for each slot at a time, and a limited number of each
/// kind, so that large slots leave a place for others.
///
/// Closings can wait: those of a backlog leave a place for other work in slots, and none takes the last
/// place.
package struct WorkUnderWay {
    /// The most matches, other tasks in slots, and closings among the latter, at a time.
    package static let limits = (matches: 3, others: 3, closings: 2)
    /// The number of database connections for all of this work, with one for the agenda and for notes.
    package static let connections = limits.matches + limits.others + 1
    /// The smallest number of connections that works: with fewer, a closing would take the only one.
    package static let leastConnections = 2

    private let places: Int
    private var slots: [Timestamp: Agenda.Task] = [:]

    /// Creates the places for so many connections; one is kept for the agenda and for notes if there are more
    /// than two.
    package init(connections: Int = Self.connections) {
        precondition(connections >= Self.leastConnections)
        places = max(Self.leastConnections, min(connections, Self.connections) - 1)
    }

    /// Begins the due tasks that have a place, and returns them in the order given.
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
