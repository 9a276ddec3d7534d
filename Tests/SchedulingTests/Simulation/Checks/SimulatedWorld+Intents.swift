import Contract
import Matching

@testable import Scheduling

/// Checks of invited pairs, and of people who meet favourites only.
extension SimulatedWorld {
    func checkIntents(_ check: CommitCheck, _ transaction: ModelTransaction) {
        checkFavouritesOnly(check)
        guard let matched = transaction.matchedAt, matched.slot == check.startsAt else { return }
        for guest in check.registrations where guest.isLive {
            guard let host = guest.intent.invitedBy.flatMap({ tables.registrations[$0] }), host.isLive,
                let one = guest.user, let other = host.user, !tables.isBlocked(one, other),
                check.after.memberOf[guest.id] != nil, check.after.memberOf[host.id] != nil
            else { continue }
            checkPair(guest.id, host.id, check, transaction, at: matched.now)
        }
    }

    /// Checks that no favourites-only person came together with a stranger.
    private func checkFavouritesOnly(_ check: CommitCheck) {
        for (id, current) in check.after.memberOf.sorted(by: { $0.key < $1.key })
        where check.before.memberOf[id]?.room != current.room {
            for partner in check.after.partners(of: id) where !isWelcome(id, partner) {
                fail("r\(id.number) meets r\(partner.number), and one meets favourites only")
            }
        }
    }

    /// Checks that a pair by an invite comes together where it can, and stays together while both are there.
    private func checkPair(
        _ guest: Identifier, _ host: Identifier, _ check: CommitCheck, _ transaction: ModelTransaction,
        at now: Timestamp
    ) {
        let areTogether = check.after.memberOf[guest]?.room == check.after.memberOf[host]?.room
        if areTogether { return }
        let name = "r\(guest.number), a guest of r\(host.number),"
        switch (check.before.memberOf[guest], check.before.memberOf[host]) {
        case (nil, nil): fail("\(name) got another room")
        case (let one?, let other?):
            let wereThere = company([guest, host], check, transaction, at: now).count == 2
            if one.room == other.room && wereThere { fail("\(name) was taken to another room") }
        case (nil, let known?): checkLate(guest, host, in: known.room, check, transaction, at: now)
        case (let known?, nil): checkLate(host, guest, in: known.room, check, transaction, at: now)
        }
    }

    /// Checks that the second of a pair joins the first if there is a place that no other person took.
    private func checkLate(
        _ late: Identifier, _ first: Identifier, in room: Identifier, _ check: CommitCheck,
        _ transaction: ModelTransaction, at now: Timestamp
    ) {
        // The rest of a match that another server began is matched without those who have a room.
        if !check.before.isOpened { return }
        let members = check.before.rooms[room] ?? []
        let here = company(members, check, transaction, at: now)
        let isChanged = check.after.rooms[room] != members
        if isChanged || here.count > largestToJoin || !here.contains(first) { return }
        if members.allSatisfy({ mayMeet(late, $0) }) {
            fail("r\(late.number) did not join r\(first.number), by an invite, where there was a place")
        }
    }

    /// Whether one of the two has invited the other.
    private func isPair(_ one: Identifier, _ other: Identifier) -> Bool {
        tables.registrations[one]?.intent.invitedBy == other
            || tables.registrations[other]?.intent.invitedBy == one
    }

    /// Whether a person is there with the other one of a pair by an invite. Blocks among those who are
    /// together are not read for a late one: they stay a pair, also where one has blocked the other since.
    func isTied(_ one: Identifier, to others: [Identifier]) -> Bool {
        others.contains { isPair(one, $0) }
    }

    /// Whether two people may meet, as far as favourites are concerned.
    func isWelcome(_ one: Identifier, _ other: Identifier) -> Bool {
        isPair(one, other) || (accepts(one, other) && accepts(other, one))
    }

    private func accepts(_ one: Identifier, _ other: Identifier) -> Bool {
        guard let one = tables.registrations[one], let other = tables.registrations[other] else {
            return true
        }
        if !one.intent.favouritesOnly { return true }
        return tables.favourites.contains { $0.user == one.user && $0.other == other.user }
    }

    /// Whether the rooms have the sizes that they have without intents: with pairs also where some are paired
    /// by invites.
    func hasUsualSizes(_ check: CommitCheck) -> Bool {
        check.registrations.allSatisfy { registration in
            !registration.intent.favouritesOnly
                && (plan.rules.roomSize == .pair || registration.intent.invitedBy == nil)
        }
    }
}
