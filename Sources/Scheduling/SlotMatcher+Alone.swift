import Codecs
import Contract
import Matching

/// Members who are alone in their rooms.
extension SlotMatcher {
    /// Brings members together whose partners did not come within the no-show time.
    func rematch(
        _ seed: UInt64, in transaction: any SlotTransaction, _ startsAt: Timestamp, at now: Timestamp
    ) async throws -> MatchOutcome {
        let members = try await transaction.members(awayAfter: rules.waitsSince(now))
        let lookAgainAt = members.compactMap { rules.absentFrom($0, startsAt) }.filter { $0 > now }.min()
        let alone = SlotParticipants([], members, []).rooms(rules, startsAt, at: now).compactMap { room in
            let here = room.members.filter { !$0.isAbsent }
            return here.count == 1 ? here.first?.id : nil
        }
        if alone.isEmpty { return .nothing(lookAgainAt: lookAgainAt) }
        let edges = try await self.edges(of: alone, in: transaction)
        let (company, moves) = await SlotPlan.compute(members.count) { [rules] in
            let company = SlotParticipants([], members, edges)
            let moves = company.moves(between: company.rooms(rules, startsAt, at: now), rules, seed)
            return (company, moves)
        }
        if moves.isEmpty { return .nothing(lookAgainAt: lookAgainAt) }
        let rooms = try await write(moves, of: company, in: transaction, at: now)
        let moved = rules.noShow.map { now.adding($0) }
        return .rematched(
            rooms: rooms, people: moves.count, lookAgainAt: [lookAgainAt, moved].compactMap(\.self).min())
    }

    /// Brings members together who have no partner left: all others of their rooms cancelled, or were
    /// removed. There is no partner to wait for, so the no-show time does not apply. Only members who are
    /// present are moved, and to each other alone.
    func unite(
        _ seed: UInt64, in transaction: any SlotTransaction, _ startsAt: Timestamp, at now: Timestamp
    ) async throws -> MatchOutcome {
        let members = try await transaction.members(awayAfter: rules.waitsSince(now))
        let deserted = SlotParticipants([], members, []).deserted
        if deserted.count < 2 { return .nothing(lookAgainAt: nil, awaitsEntry: false) }
        let edges = try await self.edges(of: deserted.flatMap { $0.members.map(\.id) }, in: transaction)
        let present = Set(members.filter(\.isPresent).map(\.registration))
        let (company, moves, awaitsEntry) = await SlotPlan.compute(deserted.count) { [rules] in
            let company = SlotParticipants([], members, edges)
            let moves = company.moves(
                between: deserted.filter { present.contains($0.members[0].id) }, rules, seed)
            let touched = Set(moves.flatMap { [$0.from, $0.to] })
            let rest = deserted.filter { !touched.contains($0.id) }
            return (company, moves, !company.moves(between: rest, rules, seed).isEmpty)
        }
        if moves.isEmpty { return .nothing(lookAgainAt: nil, awaitsEntry: awaitsEntry) }
        let rooms = try await write(moves, of: company, in: transaction, at: now)
        return .rematched(rooms: rooms, people: moves.count, lookAgainAt: nil, awaitsEntry: awaitsEntry)
    }

    /// Writes moves. Returns the rooms that have changed.
    private func write(
        _ moves: [Move<Identifier>], of company: SlotParticipants, in transaction: any SlotTransaction,
        at now: Timestamp
    ) async throws -> [Identifier] {
        var changes = MatchChanges(company, makeRoomID: makeRoomID)
        changes.add(moves)
        try await transaction.write(changes, at: now)
        try await Self.check(changes.gatherings, in: transaction)
        return changes.touchedRooms
    }
}
