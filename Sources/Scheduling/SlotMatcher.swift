import Codecs
import Contract
import Logging
import Matching

/// The matcher of a slot. It commits rooms, members and notifications atomically.
///
/// The first match of a slot follows a plan that may have been made before; late members are placed among
/// those who are there. A repetition finds no people left and does nothing.
struct SlotMatcher: Sendable {
    package let rules: ScheduleRules
    package let clock: any ScheduleClock
    package let store: any ScheduleStore
    let makeRoomID: @Sendable () -> Identifier
    /// The name of this server in this run, for leases.
    package let holder: String
    /// Stores the entries until now into the rooms of this server. Called under the slot's lock.
    var storeEntries: @Sendable () async throws -> Void = {}
    /// Whether preferences are read. Blocks hold even without them.
    var readsPreferences = true
    /// Whether members who have no partner left are brought together.
    package var unites = false

    /// Plans the match ahead of the opening. A plan that takes too long ends with the best match found so
    /// far, or fails if not even the people were read: the opening does not wait for it.
    package func plan(_ startsAt: Timestamp, seed: UInt64) async throws -> SlotPlan {
        let asOf = clock.now()
        let deadline = rules.opensAt(startsAt).adding(.milliseconds(-250))
        let left = min(max(deadline.since(asOf), Self.leastReadTime), Self.longestReadTime)
        let (people, edges) = try await store.people(of: startsAt, within: left)
        return await SlotPlan.make(
            people, edges, rules, seed: seed, asOf: asOf, shouldStop: { clock.now() >= deadline })
    }

    private static let leastReadTime = Duration.milliseconds(50)
    private static let longestReadTime = Duration.seconds(60)

    private enum Step: Sendable {
        case done(MatchOutcome)
        case opened(SlotOpening, MatchOutcome)
        /// The slot is leased, for a match in parts.
        case parts(SlotPlan)
    }

    /// Matches all people of the slot who have no room. Nothing happens before the slot opens or after it
    /// ends, except that a planned match is written a little before the opening, by the rules' head start,
    /// and committed at it. Then the method has to be called on the clock's loop.
    @discardableResult
    package func match(_ startsAt: Timestamp, following plan: SlotPlan? = nil, seed: UInt64) async throws
        -> MatchOutcome
    {
        for _ in 1..<Self.attempts {
            do {
                return try await attempt(startsAt, plan, seed)
            } catch is Parted, is MatchOvertaken {
                Log.debug("matching again", ["slot": "\(SlotKey(startsAt))"])
            } catch is PreferencesTakeTooLong {
                Log.warning("matching without preferences", ["slot": "\(SlotKey(startsAt))"])
                var hurried = self
                hurried.readsPreferences = false
                return try await hurried.match(startsAt, following: plan, seed: seed)
            }
        }
        return try await attempt(startsAt, plan, seed)
    }

    /// The number of attempts at a match: one that was overtaken is made again at once.
    package static let attempts = 3

    /// The error that two people who were to meet have parted since the match began.
    struct Parted: Error {}

    /// Reads blocks again when there is nothing left to wait for, and throws `Parted` if one is new: the
    /// locks and the opening may have taken a while, and a user who has blocked a person since must not be
    /// notified of a room with that person.
    package static func check(_ gatherings: [Gathering], in transaction: any SlotTransaction) async throws {
        if try await !transaction.parted(gatherings).isEmpty { throw Parted() }
    }

    private func attempt(_ startsAt: Timestamp, _ plan: SlotPlan?, _ seed: UInt64) async throws
        -> MatchOutcome
    {
        let step = try await store.transaction(on: startsAt) { transaction in
            let opensAt = rules.opensAt(startsAt)
            if clock.now() < opensAt.adding(.zero - rules.headStart(of: plan)) {
                return Step.done(.tooEarly)
            }
            let now = max(clock.now(), opensAt)
            guard let slot = try await transaction.slot(), !slot.isClosed, now < slot.endsAt else {
                return .done(.nothing(lookAgainAt: nil))
            }
            if slot.isOpened {
                // If there is anything to wait for, the server that opened the slot has a clock ahead of this
                // one's.
                try await wait(until: opensAt)
                return .done(try await place(seed, in: transaction, startsAt, at: now))
            }
            if let lease = slot.lease, lease.holder != holder, lease.until > now {
                return .done(.leased(until: lease.until))
            }
            // The rest of a match that another server began is planned again: this server's plan does not
            // know who has a room.
            let isOurs = slot.lease.map { $0.holder == holder } ?? true
            let step = try await open(isOurs ? plan : nil, seed, in: transaction, at: now)
            if case .opened(let opening, let outcome) = step {
                try await wait(until: opensAt.adding(.zero - rules.tellingTime(of: outcome.people)))
                try await transaction.tell(opening, at: now)
                try await wait(until: opensAt)
                try await Self.check(opening.gatherings, in: transaction)
            }
            return step
        }
        switch step {
        case .done(let outcome), .opened(_, let outcome): return outcome
        case .parts(let plan):
            // A match that was planned for one transaction may have begun ahead of the opening, and have
            // become too much for one.
            try await wait(until: rules.opensAt(startsAt))
            return try await openInParts(startsAt, plan)
        }
    }

    /// The error that the clock was set back while a match waited for its time.
    struct ClockSetBack: Error {}

    /// Waits until the instant; throws if it is too far off. Others wait for the locks of the transaction: it
    /// is given up rather than kept for long.
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
        return .opened(
            opening,
            .opened(rooms: opening.rooms.map(\.id), people: people.count, hasLeftovers: false))
    }

    /// Returns the plan that was made ahead, if it still holds, else a new one, made quickly, since all
    /// people of the slot wait for it.
    private func current(
        _ given: SlotPlan?, _ people: [SlotPerson], _ blocks: [SlotEdge], _ seed: UInt64,
        in transaction: any SlotTransaction, at now: Timestamp
    ) async throws -> SlotPlan {
        var edges: [SlotEdge]
        if let given {
            if given.holds(for: people, blocks: blocks) { return given }
            let known = Set(given.people.map(\.registration))
            let unknown = people.map(\.registration).filter { !known.contains($0) }
            edges = try await self.edges(of: unknown, in: transaction) + blocks
            edges += given.edges.filter { $0.kind != .block }
        } else {
            edges = try await self.edges(of: nil, in: transaction)
        }
        return await SlotPlan.make(
            people, edges, rules, seed: seed, asOf: now, optimalSize: Matcher.optimalSizeInHaste)
    }

    func edges(of some: [Identifier]?, in transaction: any SlotTransaction) async throws -> [SlotEdge] {
        readsPreferences ? try await transaction.edges(of: some) : try await transaction.blocks()
    }

    // Late members, and members who are alone.

    private func place(
        _ seed: UInt64, in transaction: any SlotTransaction, _ startsAt: Timestamp, at now: Timestamp
    ) async throws -> MatchOutcome {
        let arrivals = try await transaction.arrivals()
        let mayRematch = rules.noShow.map { startsAt.adding($0) <= now } ?? false
        if arrivals.isEmpty && !mayRematch && !unites { return .nothing(lookAgainAt: nil) }
        // A member who entered here before the latest of the late ones registered is not moved as absent.
        // An entry at another server may not be stored yet: it waits for 50 ms and for the batch under way,
        // or for as long as that server is cut off from the database. If it is stored before the move is
        // written, the move is overtaken (`MatchOvertaken`). Otherwise the member is told to go to the new
        // room, and the entry is stored for the membership that ended.
        try await storeEntries()
        if arrivals.isEmpty {
            return mayRematch
                ? try await rematch(seed, in: transaction, startsAt, at: now)
                : try await unite(seed, in: transaction, startsAt, at: now)
        }
        let members = try await transaction.members(awayAfter: rules.waitsSince(now))
        let edges = try await self.edges(of: arrivals.map(\.registration), in: transaction)
        let (company, placements) = await SlotPlan.compute(arrivals.count + members.count) { [rules] in
            let company = SlotParticipants(arrivals, members, edges)
            var random = SplitMix64(seed: seed)
            let placements = MatchPlanner.place(
                arrivals: arrivals.map(\.registration), in: company.rooms(rules, startsAt, at: now),
                preferences: company.preferences, roomSize: rules.roomSize, trios: rules.trios, using: &random
            )
            return (company, placements)
        }
        var changes = MatchChanges(company, makeRoomID: makeRoomID)
        changes.add(placements)
        try await transaction.write(changes, at: now)
        try await Self.check(changes.gatherings, in: transaction)
        let mayUnite = company.deserted.count { !changes.changedRooms.contains($0.id) } > 1
        return .placed(
            rooms: changes.touchedRooms, people: changes.arrivalCount,
            lookAgainAt: mayRematch || mayUnite ? now : nil)
    }
}
