package import Contract

/// The slots that somebody registered for and that are not over, and what each of them waits for.
package struct Agenda {
    /// How far a slot has come.
    enum Stage: Equatable {
        /// It has not opened, and no plan was made.
        case waiting
        /// A plan is being made or was made. The match begins `headStart` before the opening, and commits at
        /// it. The plan is made anew at `replanAt`, since a registration has overtaken it.
        case planned(headStart: Duration, replanAt: Timestamp?)
        /// Another server matches it, or did when it was killed. Until then it is left alone.
        case leased(until: Timestamp)
        /// It was matched. At `rematchAt` a member may be alone who was not, or has been for long enough.
        case open(rematchAt: Timestamp?)
    }

    package struct Slot {
        package var endsAt: Timestamp
        var stage: Stage
        /// Whether it was noted that a server was up while the slot ran.
        package var isServed: Bool
        /// Somebody registered after the match began, or may have.
        package var hasLateArrivals: Bool
        /// A failure in a slot keeps back nothing but that slot.
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

        /// So long before the opening the match begins.
        var headStart: Duration {
            if case .planned(let headStart, _) = stage { headStart } else { .zero }
        }

        /// Whether a plan was made that is not to be made anew yet.
        var hasPlan: Bool {
            if case .planned(_, replanAt: nil) = stage { true } else { false }
        }

        /// A look at who is alone is due then, or earlier where it was already.
        mutating func rematch(by due: Timestamp) {
            guard case .open(let rematchAt) = stage else { return }
            stage = .open(rematchAt: min(rematchAt ?? due, due))
        }

        var rematchAt: Timestamp? {
            if case .open(let rematchAt) = stage { rematchAt } else { nil }
        }
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
    /// meanwhile was not seen, nor was what a change event told of that came while the query ran.
    package mutating func take(_ entries: [AgendaEntry], noShow: Duration?, at now: Timestamp) {
        var read: [Timestamp: Slot] = [:]
        for entry in entries {
            var slot = Slot(
                endsAt: entry.endsAt, isOpened: entry.isOpened, isServed: entry.isServed,
                hasLateArrivals: entry.hasLateArrivals)
            if let known = slots[entry.startsAt] {
                slot = known
                slot.endsAt = entry.endsAt
                if entry.isOpened, !known.isOpened { slot.stage = .open(rematchAt: nil) }
                slot.isServed = known.isServed || entry.isServed
                slot.hasLateArrivals = known.hasLateArrivals || entry.hasLateArrivals
            }
            // What a server knew that is gone is looked for now.
            if let noShow { slot.rematch(by: max(entry.startsAt.adding(noShow), now)) }
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
        let opensAt = startsAt.adding(.zero - lead - slot.headStart)
        // After the end there is nobody left to match.
        var tasks: [(due: Timestamp, task: Task)] = [(closesAt(slot, at: now), .close)]
        if !slot.isServed { tasks.append((startsAt, .serve)) }
        switch slot.stage {
        case .waiting:
            tasks.append((opensAt, .match))
            // Once everybody waits it is too late for a plan.
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
