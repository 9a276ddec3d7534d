import Contract

/// The slots that somebody registered for and that are not over, and what each of them waits for.
struct Agenda {
    struct Slot {
        var endsAt: Timestamp
        var isOpened: Bool
        var isServed: Bool
        /// Somebody registered after the opening, or may have.
        var hasLateArrivals = false
    }

    enum Task: Equatable {
        /// Match whoever has no room.
        case match
        /// Note that a server is up while the slot runs.
        case serve
        case close
    }

    private(set) var slots: [Timestamp: Slot] = [:]
    private let lead: Duration
    /// Between the end of a slot and its closing in the database: entries and counts of other servers arrive.
    private let grace: Duration

    init(lead: Duration, grace: Duration) {
        self.lead = lead
        self.grace = grace
    }

    subscript(startsAt: Timestamp) -> Slot? {
        get { slots[startsAt] }
        set { slots[startsAt] = newValue }
    }

    mutating func removeAll() { slots.removeAll() }

    /// What is to be done in a slot next, and when.
    func next(in startsAt: Timestamp) -> (due: Timestamp, task: Task)? {
        guard let slot = slots[startsAt] else { return nil }
        let opensAt = startsAt.adding(.zero - lead)
        // After the end there is nobody left to match.
        var tasks: [(due: Timestamp, task: Task)] = [(slot.endsAt.adding(grace), .close)]
        if !slot.isServed { tasks.append((startsAt, .serve)) }
        if !slot.isOpened || slot.hasLateArrivals { tasks.append((opensAt, .match)) }
        return tasks.min { $0.due < $1.due }
    }

    /// What is due, the matches before everything else.
    func due(at now: Timestamp) -> [(startsAt: Timestamp, task: Task)] {
        var due: [(startsAt: Timestamp, task: Task)] = []
        for startsAt in slots.keys.sorted() {
            guard let slot = slots[startsAt], let next = next(in: startsAt), next.due <= now else { continue }
            let isOver = slot.endsAt <= now
            switch next.task {
            case .match, .serve:
                if !isOver {
                    due.append((startsAt, next.task))
                } else if slot.endsAt.adding(grace) <= now {
                    due.append((startsAt, .close))
                }
            case .close: due.append((startsAt, .close))
            }
        }
        return due.filter { $0.task == .match } + due.filter { $0.task != .match }
    }

    /// When the next thing is due.
    func nextInstant(after now: Timestamp) -> Timestamp? {
        slots.keys.compactMap { startsAt -> Timestamp? in
            guard let slot = slots[startsAt], let next = next(in: startsAt) else { return nil }
            return slot.endsAt <= now ? slot.endsAt.adding(grace) : next.due
        }.min()
    }
}
