package import Contract

/// The slots that have registrations and are not over, and the next task of each.
package struct Agenda {
    /// The progress of a slot.
    enum Stage: Equatable {
        /// The slot has not opened, and no plan was made.
        case waiting
        /// A plan is being made or was made. The match begins `headStart` before the opening, and commits at
        /// it. The plan is made again at `replanAt`, since a registration has overtaken it.
        case planned(headStart: Duration, replanAt: Timestamp?)
        /// Another server matches the slot, or did when it was killed. Until then the slot is left alone.
        case leased(until: Timestamp)
        /// The slot was matched. At `rematchAt` a member may be alone who was not, or has been for long
        /// enough.
        case open(rematchAt: Timestamp?)
    }

    package struct Slot {
        package var endsAt: Timestamp
        var stage: Stage
        /// Whether it was noted that a server was up while the slot ran.
        package var isServed: Bool
        /// Whether a person registered after the match began, or may have.
        package var hasLateArrivals: Bool
        /// Whether members who have no partner left may meet as soon as they enter.
        var awaitsEntry = false
        /// Whether members left rooms of the slot before this server knew that it is open.
        var hasDepartures = false
        /// The back-off of this slot alone: a failure in one slot does not delay the others.
        package var retry = Retry()

        package init(endsAt: Timestamp, isOpened: Bool, isServed: Bool, hasLateArrivals: Bool = false) {
            self.endsAt = endsAt
            stage = isOpened ? .open(rematchAt: nil) : .waiting
            self.isServed = isServed
            self.hasLateArrivals = hasLateArrivals
        }

        package var isOpened: Bool {
            if case .open = stage { true } else { false }
        }

        /// The time before the opening at which the match begins.
        var headStart: Duration {
            if case .planned(let headStart, _) = stage { headStart } else { .zero }
        }

        /// Whether a plan exists that is not to be made again yet.
        var hasPlan: Bool {
            if case .planned(_, replanAt: nil) = stage { true } else { false }
        }

        /// Schedules a look at members who are alone for `due`, unless an earlier one is scheduled.
        mutating func rematch(by due: Timestamp) {
            guard case .open(let rematchAt) = stage else { return }
            stage = .open(rematchAt: min(rematchAt ?? due, due))
        }

        /// Notes that the slot is open, and schedules the next looks at members who are alone. At
        /// `absentFrom` members have been absent for long enough for the first time.
        mutating func matched(_ outcome: MatchOutcome, absentFrom: Timestamp?, at now: Timestamp) {
            if !isOpened { stage = .open(rematchAt: nil) }
            if outcome.hasLeftovers { hasLateArrivals = true }
            if let awaits = outcome.awaitsEntry { awaitsEntry = awaits }
            if let absentFrom, now < absentFrom { rematch(by: absentFrom) }
            if let lookAgainAt = outcome.lookAgainAt { rematch(by: lookAgainAt) }
            if hasDepartures { rematch(by: now) }
            hasDepartures = false
            // A change event may be lost, and a server with a look of its own be gone.
            rematch(by: now.adding(Self.lookInterval))
        }

        private static let lookInterval = Duration.seconds(60)

        var rematchAt: Timestamp? {
            if case .open(let rematchAt) = stage { rematchAt } else { nil }
        }
    }

    package enum Task: Equatable {
        /// Plan the rooms, so that the match itself is over soon.
        case plan
        /// Match all people without a room.
        case match
        /// Note that a server is up while the slot runs.
        case serve
        case close
    }

    package private(set) var slots: [Timestamp: Slot] = [:]
    /// The instant before which no slot is closed.
    private var closesFrom: Timestamp?
    /// The time that servers have to store what they could not store while the database was away.
    private static let settling = Duration.seconds(2)
    private let lead: Duration
    /// The time between the end of a slot and its closing in the database: entries and counts of other
    /// servers arrive.
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

    /// Takes over the entries that were read from the database, and keeps what only this server knows: its
    /// own work meanwhile, and change events that came while the query ran.
    package mutating func take(_ entries: [AgendaEntry], at now: Timestamp) {
        var read: [Timestamp: Slot] = [:]
        for entry in entries {
            var slot = Slot(
                endsAt: entry.endsAt, isOpened: entry.isOpened, isServed: entry.isServed,
                hasLateArrivals: entry.hasLateArrivals)
            let known = slots[entry.startsAt]
            if let known {
                slot = known
                slot.endsAt = entry.endsAt
                if entry.isOpened, !known.isOpened { slot.stage = .open(rematchAt: nil) }
                slot.isServed = known.isServed || entry.isServed
                slot.hasLateArrivals = known.hasLateArrivals || entry.hasLateArrivals
            }
            // This server has not looked at the members yet.
            if known?.isOpened != true { slot.rematch(by: now) }
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

    /// Postpones closings, since the database may have been away until now. A postponement under way is not
    /// extended: slots that are over are closed even if that happens again and again.
    package mutating func settle(at now: Timestamp) {
        if closesFrom(at: now).map({ $0 <= now }) ?? true { closesFrom = now.adding(Self.settling) }
    }

    /// Returns the instant before which no slot is closed; nil if there is none, or the clock was set back
    /// since.
    private func closesFrom(at now: Timestamp) -> Timestamp? {
        closesFrom.flatMap { $0 <= now.adding(Self.settling) ? $0 : nil }
    }

    private func closesAt(_ slot: Slot, at now: Timestamp) -> Timestamp {
        let due = slot.endsAt.adding(grace)
        return max(due, closesFrom(at: now) ?? due)
    }

    /// Returns the next task of a slot, and the instant at which it is due.
    private func next(in startsAt: Timestamp, at now: Timestamp) -> (due: Timestamp, task: Task)? {
        guard let slot = slots[startsAt] else { return nil }
        let opensAt = startsAt.adding(.zero - lead - slot.headStart)
        // After the end there are no people left to match.
        var tasks: [(due: Timestamp, task: Task)] = [(closesAt(slot, at: now), .close)]
        if !slot.isServed { tasks.append((startsAt, .serve)) }
        switch slot.stage {
        case .waiting:
            tasks.append((opensAt, .match))
            // Once the slot should be open it is too late for a plan.
            if planAhead > .zero, now < opensAt { tasks.append((opensAt.adding(.zero - planAhead), .plan)) }
        case .planned(_, let replanAt):
            tasks.append((opensAt, .match))
            if let replanAt, planAhead > .zero, now < opensAt { tasks.append((replanAt, .plan)) }
        case .leased(let until): tasks.append((max(opensAt, until), .match))
        case .open(let rematchAt):
            if slot.hasLateArrivals { tasks.append((opensAt, .match)) }
            if let rematchAt { tasks.append((rematchAt, .match)) }
        }
        return tasks.min { $0.due < $1.due }.map { (slot.retry.notBefore($0.due, at: now), $0.task) }
    }

    /// Returns the due tasks, the most important first: matches, those that have failed last among them, then
    /// notes that a server is up, plans, and closings.
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

    /// Returns for how long the match of the first slot that is due has been waited for; zero if none is due.
    func overdue(at now: Timestamp) -> Duration {
        let due = slots.filter { !$0.value.isOpened && now < $0.value.endsAt }.keys.min()
        return due.map { max(.zero, now.since($0.adding(.zero - lead))) } ?? .zero
    }

    /// Returns the future instants at which the next tasks of the wanted slots are due; tasks that are due
    /// already are left out.
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

    /// Returns the next future instant at which a task is due; tasks that are due already are left out.
    func nextInstant(after now: Timestamp) -> Timestamp? { instants(after: now) { _ in true }.min() }
}
