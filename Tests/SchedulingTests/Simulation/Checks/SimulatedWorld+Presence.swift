import Codecs
import Contract
import Matching

@testable import Scheduling

/// Checks of presence, of rematches, and of the number of queries while there is nothing to do.
extension SimulatedWorld {
    /// The interval of heartbeats while a slot is open, plus the silence after which a server is believed
    /// gone, in microseconds.
    private static let silence: Int64 = 100_000_000

    /// Checks that no member stays present on a server that is gone.
    func checkPresence() {
        guard let wellSince = servers.filter({ $0.isUp }).map(\.wellSince).max(), wellSince <= elapsed else {
            return
        }
        for member in tables.members where member.leftRevision == nil {
            guard let server = member.presentOn, servers[server].isGone,
                let slot = tables.rooms[member.room].flatMap({ tables.slots[$0.startsAt] }),
                slot.closedAt == nil, now < slot.endsAt
            else { continue }
            let opening = plan.rules.opensAt(slot.startsAt).microseconds - plan.begin.microseconds
            let since = max(servers[server].killedAt, opening, wellSince == 0 ? 0 : wellSince + Self.recovery)
            if elapsed > since + Self.silence + 2 * Self.promptness {
                fail("r\(member.registration.number) is present on server \(server), which is gone")
            }
        }
    }

    /// Checks that a member who is alone is rematched at once, if another person was available.
    func checkRematches(_ startsAt: Timestamp) {
        guard failures.isEmpty, plan.slots.contains(startsAt), let slot = tables.slots[startsAt],
            slot.openedAt != nil, slot.closedAt == nil, slot.lease == nil,
            elapsed - (changedAt[startsAt] ?? 0) > Self.promptness + 2 * plan.clockError
        else { return }
        // Where some may not meet, it is a matter of chance whether a room of several can be made.
        guard plan.rules.roomSize == .pair || tables.blocks.isEmpty else { return }
        // A rematch begins at the server where the members are; for a server that is gone, another one looks
        // later.
        guard let wellSince = servers.map({ $0.isUp ? $0.wellSince : $0.killedAt }).max(),
            wellSince == 0 || elapsed - Self.recovery > wellSince
        else { return }
        let due = now.adding(.microseconds(-Self.promptness - 2 * plan.clockError))
        guard now < slot.endsAt else { return }
        // Late arrivals are matched first.
        if !tables.people(of: startsAt).isEmpty { return }
        checkDeserted(startsAt)
        guard let noShow = plan.rules.noShow, due >= startsAt.adding(noShow) else { return }
        // Another member may have been waited for until a moment ago.
        let movers = Set(rematch(startsAt, at: now).map(\.member))
        if let move = rematch(startsAt, at: due).first(where: { movers.contains($0.member) }) {
            fail("r\(move.member.number) waits for no member in room \(move.from.number)")
        }
    }

    /// Checks that two members who are present, and have no partner left, do not wait for the no-show time.
    private func checkDeserted(_ startsAt: Timestamp) {
        let company = company(startsAt)
        let present = Set(company.members.filter(\.isPresent).map(\.registration))
        let deserted = company.deserted.filter { present.contains($0.members[0].id) }
        if let move = company.moves(between: deserted, plan.rules, 1).first {
            fail("r\(move.member.number) has no partner left in room \(move.from.number), and gets none")
        }
    }

    private func company(_ startsAt: Timestamp) -> SlotParticipants {
        let members = tables.rooms(of: startsAt).flatMap { room in
            tables.members(of: room.id).compactMap { tables.slotMember($0) }
        }
        return SlotParticipants([], members, tables.blocks(in: startsAt))
    }

    private func rematch(_ startsAt: Timestamp, at due: Timestamp) -> [Move<Identifier>] {
        let company = company(startsAt)
        var random = SplitMix64(seed: 1)
        return MatchPlanner.rematch(
            company.rooms(plan.rules, startsAt, at: due), preferences: company.preferences,
            roomSize: plan.rules.roomSize, trios: plan.rules.trios, using: &random)
    }

    /// Checks that an idle day has at most two queries a minute, by the intervals between two checks in which
    /// nothing was due.
    func checkIdleness() {
        let isIdle =
            plan.isFaultless
            && plan.slots.allSatisfy { startsAt in
                let begin = plan.rules.opensAt(startsAt).adding(.seconds(-25)).microseconds
                let end = plan.rules.endsAt(startsAt).adding(.seconds(2)).microseconds
                let since = plan.begin.microseconds + idleSince
                return now.microseconds < begin || since > end
            }
        if isIdle { idleTime += elapsed - idleSince }
        idleSince = elapsed
        for index in servers.indices {
            if isIdle { servers[index].idleStatements += servers[index].statements }
            servers[index].statements = 0
            // The agenda and the time are asked for, also in a minute that is not over. At the start a server
            // reads everything once, and before and after each slot it asks for the time again.
            let most = 2 * (Int(idleTime / 60_000_000) + 1) + 5 + 3 * plan.slots.count
            if servers[index].idleStatements > most {
                fail(
                    "server \(index) asks \(servers[index].idleStatements) times in \(idleTime) idle µs")
            }
        }
    }

    /// Checks that a stored outage was one.
    func checkOutage(_ outage: ClosedRange<Timestamp>) {
        let began = outage.lowerBound.microseconds - plan.begin.microseconds
        let hasBeenUp = servers.contains { server in
            server.isUp && server.wellSince <= elapsed
                && (server.wellSince == 0 ? 0 : server.wellSince + Self.recovery) < began
        }
        if hasBeenUp { fail("an outage is kept of \(outage), and a server was up") }
    }
}
