package import Contract

/// The slots that somebody registered for and that are not over, and what each of them waits for.
package struct Agenda {
    package struct Slot {
        package var endsAt: Timestamp
        package var isOpened: Bool
        package var isServed: Bool
        /// Somebody registered after the opening, or may have.
        package var hasLateArrivals = false
        /// Another server matches it, or did when it was killed: until then it is left alone.
        var leasedUntil: Timestamp?
        var isPlanned = false
        /// So long before the opening the match begins, which is committed at it.
        var headStart = Duration.zero
        /// When the plan has to be made anew, since it was overtaken.
        var replanAt: Timestamp?
        /// When somebody may be alone who was not, or has been for long enough.
        var rematchAt: Timestamp?
        /// What failed in it keeps back nothing but itself.
        package var retry = Retry()
    }

    package enum Task: Equatable {
        /// Find out who would meet whom, so that the match itself is over soon.
        case plan
        /// Match whoever has no room.
        case match
        /// Note that a server is up while the slot runs.
        case serve
        case close
    }

    package private(set) var slots: [Timestamp: Slot] = [:]
    /// No slot is closed before that.
    private var closesFrom: Timestamp?
    /// How long servers have to store what they could not while the database was away.
    private static let settling = Duration.seconds(2)
    private let lead: Duration
    /// Between the end of a slot and its closing in the database: entries and counts of other servers arrive.
    private let grace: Duration
    private let planAhead: Duration

    init(lead: Duration, grace: Duration, planAhead: Duration = .zero) {
        self.lead = lead
        self.planAhead = planAhead
        self.grace = grace
    }

    subscript(startsAt: Timestamp) -> Slot? {
        get { slots[startsAt] }
        set { slots[startsAt] = newValue }
    }

    /// Takes over what was read from the database, and keeps what only this server knows: what it has done
    /// meanwhile was not seen, nor was what a hint told of that came while the query ran.
    package mutating func take(_ entries: [AgendaEntry], noShow: Duration?, at now: Timestamp) {
        var read: [Timestamp: Slot] = [:]
        for entry in entries {
            var slot = Slot(
                endsAt: entry.endsAt, isOpened: entry.isOpened, isServed: entry.isServed,
                hasLateArrivals: entry.hasLateArrivals)
            if let known = slots[entry.startsAt] {
                slot = known
                slot.endsAt = entry.endsAt
                slot.isOpened = known.isOpened || entry.isOpened
                slot.isServed = known.isServed || entry.isServed
                slot.hasLateArrivals = known.hasLateArrivals || entry.hasLateArrivals
            }
            if slot.isOpened, let noShow {
                // What a server knew that is gone is looked for now.
                let first = entry.startsAt.adding(noShow)
                slot.rematchAt = min(slot.rematchAt ?? first, max(first, now))
            }
            read[entry.startsAt] = slot
        }
        for (startsAt, slot) in slots where slot.endsAt > now && read[startsAt] == nil {
            read[startsAt] = slot
        }
        slots = read
    }

    mutating func hastenRetries() {
        for startsAt in slots.keys { slots[startsAt]?.retry.hasten() }
    }

    /// The database may have been away until now. Where that happens again and again, what is over is closed
    /// all the same.
    package mutating func settle(at now: Timestamp) {
        if closesFrom(at: now).map({ $0 <= now }) ?? true { closesFrom = now.adding(Self.settling) }
    }

    /// Nil where the clock was set back since.
    private func closesFrom(at now: Timestamp) -> Timestamp? {
        closesFrom.flatMap { $0 <= now.adding(Self.settling) ? $0 : nil }
    }

    private func closesAt(_ slot: Slot, at now: Timestamp) -> Timestamp {
        let due = slot.endsAt.adding(grace)
        return max(due, closesFrom(at: now) ?? due)
    }

    /// What is to be done in a slot next, and when.
    private func next(in startsAt: Timestamp, at now: Timestamp) -> (due: Timestamp, task: Task)? {
        guard let slot = slots[startsAt] else { return nil }
        let opensAt = startsAt.adding(.zero - lead - (slot.isOpened ? .zero : slot.headStart))
        // After the end there is nobody left to match.
        var tasks: [(due: Timestamp, task: Task)] = [(closesAt(slot, at: now), .close)]
        if !slot.isServed { tasks.append((startsAt, .serve)) }
        if !slot.isOpened || slot.hasLateArrivals {
            tasks.append((max(opensAt, slot.leasedUntil ?? opensAt), .match))
        }
        if slot.isOpened, let rematchAt = slot.rematchAt { tasks.append((rematchAt, .match)) }
        // Once everybody waits it is too late for a plan.
        if !slot.isOpened, planAhead > .zero, now < opensAt {
            if let replanAt = slot.replanAt {
                tasks.append((replanAt, .plan))
            } else if !slot.isPlanned {
                tasks.append((opensAt.adding(.zero - planAhead), .plan))
            }
        }
        return tasks.min { $0.due < $1.due }.map { (slot.retry.notBefore($0.due, at: now), $0.task) }
    }

    /// What is due, the most important first: the matches, and among them what has failed last, then the
    /// notes that a server is up, the plans, and the closings.
    package func due(at now: Timestamp) -> [(startsAt: Timestamp, task: Task)] {
        var due: [(startsAt: Timestamp, task: Task)] = []
        for startsAt in slots.keys.sorted() {
            guard let slot = slots[startsAt], let next = next(in: startsAt, at: now), next.due <= now else {
                continue
            }
            let isOver = slot.endsAt <= now
            switch next.task {
            case .plan: due.append((startsAt, .plan))
            case .match, .serve:
                if !isOver {
                    due.append((startsAt, next.task))
                } else if closesAt(slot, at: now) <= now {
                    due.append((startsAt, .close))
                }
            case .close: due.append((startsAt, .close))
            }
        }
        let matches = due.filter { $0.task == .match }
        let failed = matches.filter { (slots[$0.startsAt]?.retry.failures ?? 0) > 0 }
        let fresh = matches.filter { (slots[$0.startsAt]?.retry.failures ?? 0) == 0 }
        return [.serve, .plan, .close].reduce(fresh + failed) { all, task in
            all + due.filter { $0.task == task }
        }
    }

    /// When the next things are due in those of the slots; what is due already is left out.
    package func instants(after now: Timestamp, where isWanted: (Timestamp) -> Bool) -> [Timestamp] {
        slots.keys.compactMap { startsAt -> Timestamp? in
            guard isWanted(startsAt), let slot = slots[startsAt], let next = next(in: startsAt, at: now)
            else {
                return nil
            }
            let due = slot.endsAt <= now ? slot.retry.notBefore(closesAt(slot, at: now), at: now) : next.due
            return due > now ? due : nil
        }
    }

    /// When the next thing is due; what is due already is left out.
    func nextInstant(after now: Timestamp) -> Timestamp? { instants(after: now) { _ in true }.min() }
}
