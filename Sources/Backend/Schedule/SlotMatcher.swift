import Contract
import Matching

/// Decides who meets whom in a slot: rooms, members and notifications exist together or not at all.
///
/// The first match of a slot follows a plan that may have been made before; what comes late is placed among those who
/// are there. A repetition finds nobody left and does nothing.
struct SlotMatcher: Sendable {
    /// What a match has done.
    struct Outcome: Sendable {
        /// Everybody's first: it opened the slot.
        var isFirst = false
        var people = 0
        /// Rooms that are new, or in which somebody came or went.
        var rooms: [UUID] = []
        /// Who was alone, and has gone to another room.
        var rematched = 0
        /// The clock was set back; nothing was done.
        var isTooEarly = false
        /// Another server has the slot until then; nothing was done.
        var leasedUntil: Timestamp?
        /// When somebody who is not there will have been waited for long enough.
        var lookAgainAt: Timestamp?
        /// Some were left over by a match in parts, and are as if they had come late.
        var hasLeftovers = false
    }

    let rules: ScheduleRules
    let clock: any ScheduleClock
    let store: any ScheduleStore
    let makeRoomID: @Sendable () -> UUID
    /// This server, in this run of it.
    let holder: String

    /// Plans the match ahead of the opening. A plan that takes too long ends with what it has found.
    func plan(_ startsAt: Timestamp, seed: UInt64) async throws -> SlotPlan {
        let asOf = clock.now()
        let (people, ties) = try await store.people(of: startsAt)
        let deadline = rules.opensAt(startsAt).adding(.milliseconds(-250))
        return await SlotPlan.make(
            people, ties, rules, seed: seed, asOf: asOf, shouldStop: { clock.now() >= deadline })
    }

    private enum Step: Sendable {
        case done(Outcome)
        /// The slot is leased, for a match in parts.
        case parts(SlotPlan)
    }

    /// Matches everybody of the slot who has no room. Nothing happens before the slot opens or after it ends, except that
    /// a match that is planned is written a little before, by the rules' head start, and committed at the opening. Then it
    /// has to be called on the clock's loop.
    @discardableResult
    func match(_ startsAt: Timestamp, following plan: SlotPlan? = nil, seed: UInt64) async throws -> Outcome {
        let step = try await store.transaction(on: startsAt) { transaction in
            let opensAt = rules.opensAt(startsAt)
            if clock.now() < opensAt.adding(.zero - rules.headStart(of: plan)) {
                return Step.done(Outcome(isTooEarly: true))
            }
            let now = max(clock.now(), opensAt)
            guard let slot = try await transaction.slot(), !slot.isClosed, now < slot.endsAt else {
                return .done(Outcome())
            }
            if slot.isOpened {
                let outcome = try await place(seed, in: transaction, startsAt, at: now)
                // Opened by a server whose clock is ahead of this one's.
                try await wait(until: opensAt)
                return .done(outcome)
            }
            if let lease = slot.lease, lease.holder != holder, lease.until > now {
                return .done(Outcome(leasedUntil: lease.until))
            }
            let step = try await open(plan, seed, in: transaction, at: now)
            try await wait(until: opensAt)
            return step
        }
        switch step {
        case .done(let outcome): return outcome
        case .parts(let plan): return try await openInParts(startsAt, plan)
        }
    }

    /// The clock was set back while a match waited for its time.
    struct ClockSetBack: Error {}

    /// Others wait for what the transaction holds: it is given up rather than kept for long.
    private func wait(until instant: Timestamp) async throws {
        while true {
            let left = instant.since(clock.now())
            if left <= .zero { return }
            if left > ScheduleRules.longestHeadStart { throw ClockSetBack() }
            await withCheckedContinuation { continuation in
                _ = clock.wake(after: left) { continuation.resume() }
            }
        }
    }

    // The first match.

    private func open(
        _ given: SlotPlan?, _ seed: UInt64, in transaction: any SlotTransaction, at now: Timestamp
    ) async throws -> Step {
        if let given, given.match.rooms.count > rules.roomsAtOnce {
            try await transaction.lease(SlotLease(holder: holder, until: now.adding(rules.leaseTime)))
            return .parts(given)
        }
        let blocks = try await transaction.blocks()
        let people = try await transaction.arrivals()
        let plan = try await current(given, people, blocks, seed, in: transaction, at: now)
        if plan.match.rooms.count > rules.roomsAtOnce {
            try await transaction.lease(SlotLease(holder: holder, until: now.adding(rules.leaseTime)))
            return .parts(plan)
        }
        let opening = SlotOpening(
            rooms: plan.match.rooms.map { room in
                SlotOpening.Room(id: makeRoomID(), members: room.map { plan.people[Int($0)] })
            }, leftAlone: plan.leftAlone, record: plan.record)
        try await transaction.open(opening, at: now)
        return .done(Outcome(isFirst: true, people: people.count, rooms: opening.rooms.map(\.id)))
    }

    /// The plan that was made ahead, where it still holds. Else another, quickly: everybody waits for it.
    private func current(
        _ given: SlotPlan?, _ people: [SlotPerson], _ blocks: [SlotTie], _ seed: UInt64,
        in transaction: any SlotTransaction, at now: Timestamp
    ) async throws -> SlotPlan {
        var ties: [SlotTie]
        if let given {
            if given.holds(for: people, blocks: blocks) { return given }
            let known = Set(given.people.map(\.registration))
            let unknown = people.map(\.registration).filter { !known.contains($0) }
            ties = try await transaction.ties(of: unknown) + blocks
            ties += given.ties.filter { $0.kind != .block }
        } else {
            ties = try await transaction.ties(of: nil)
        }
        let isSmall = people.count <= SlotPlan.optimalSizeInHaste
        return await SlotPlan.make(
            people, ties, rules, seed: seed, asOf: now, optimalSize: isSmall ? Matcher.optimalSize : 0)
    }

    // Late ones, and those who are alone.

    private func place(
        _ seed: UInt64, in transaction: any SlotTransaction, _ startsAt: Timestamp, at now: Timestamp
    ) async throws -> Outcome {
        let arrivals = try await transaction.arrivals()
        let mayRematch = rules.noShow.map { startsAt.adding($0) <= now } ?? false
        if arrivals.isEmpty {
            return mayRematch ? try await rematch(seed, in: transaction, startsAt, at: now) : Outcome()
        }
        let members = try await transaction.members()
        let ties = try await transaction.ties(of: arrivals.map(\.registration))
        let company = SlotCompany(arrivals, members, ties)
        var random = SplitMix64(seed: seed)
        let placements = MatchPlanner.place(
            arrivals: arrivals.map(\.registration), in: company.rooms(rules, startsAt, at: now),
            relations: company.relations, roomSize: rules.roomSize, trios: rules.trios, using: &random)
        var changes = MatchChanges(company, makeRoomID: makeRoomID)
        for placement in placements { changes.add(placement) }
        try await transaction.write(changes, at: now)
        return Outcome(
            people: changes.arrivalCount, rooms: changes.touchedRooms, lookAgainAt: mayRematch ? now : nil)
    }

    private func rematch(
        _ seed: UInt64, in transaction: any SlotTransaction, _ startsAt: Timestamp, at now: Timestamp
    ) async throws -> Outcome {
        let members = try await transaction.members()
        let lookAgainAt = members.compactMap { rules.absentFrom($0, startsAt) }.filter { $0 > now }.min()
        let alone = SlotCompany([], members, []).rooms(rules, startsAt, at: now).compactMap { room in
            let here = room.members.filter { !$0.isAbsent }
            return here.count == 1 ? here.first?.id : nil
        }
        if alone.isEmpty { return Outcome(lookAgainAt: lookAgainAt) }
        let company = SlotCompany([], members, try await transaction.ties(of: alone))
        var random = SplitMix64(seed: seed)
        let moves = MatchPlanner.rematch(
            company.rooms(rules, startsAt, at: now), relations: company.relations, roomSize: rules.roomSize,
            trios: rules.trios, using: &random)
        if moves.isEmpty { return Outcome(lookAgainAt: lookAgainAt) }
        var changes = MatchChanges(company, makeRoomID: makeRoomID)
        changes.add(moves)
        try await transaction.write(changes, at: now)
        let moved = rules.noShow.map { now.adding($0) }
        return Outcome(
            rooms: changes.touchedRooms, rematched: moves.count,
            lookAgainAt: [lookAgainAt, moved].compactMap(\.self).min())
    }
}
