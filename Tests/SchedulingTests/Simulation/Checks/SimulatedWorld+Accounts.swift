import Contract
import Scheduling

/// Checks that what was acknowledged is there, and what was deleted is gone.
extension SimulatedWorld {
    /// Checks that a room whose members change gets another revision, which notifications name the members
    /// by.
    func checkRevisions(since before: ModelTables) {
        for (id, room) in before.rooms {
            guard let now = tables.rooms[id], now.revision <= room.revision else { continue }
            let were = before.members(of: id).map(\.registration)
            if were != tables.members(of: id).map(\.registration) {
                fail("room \(id.number) has other members and the same revision")
            }
        }
    }

    /// Checks that a user who has just registered is nowhere twice at the same time.
    func checkOverlaps(of user: Identifier) {
        let keys = tables.registrations.values.filter { $0.user == user && $0.isLive }.map(\.startsAt)
        let spans = keys.map { SlotSpan(key: $0, endsAt: plan.rules.endsAt($0)) }.sorted {
            $0.startsAt < $1.startsAt
        }
        for (one, next) in zip(spans, spans.dropFirst()) where one.overlaps(next) {
            fail("user \(user.number) has sessions that overlap, from \(one.startsAt) and \(next.startsAt)")
        }
    }

    /// Checks the accounts at the end of the simulation.
    func checkAccounts() {
        // The deletion of an account also deletes the registrations that never had a room.
        for id in registeredAt.keys.sorted() where tables.registrations[id] == nil {
            if owners[id].map(tables.users.contains) == true { fail("r\(id.number) was lost") }
        }
        let named =
            tables.registrations.values.compactMap(\.user) + tables.notifications.map(\.notice.user)
            + (tables.blocks + tables.favourites).flatMap { [$0.user, $0.other] }
        for user in Set(named).subtracting(tables.users).sorted() {
            fail("user \(user.number) was deleted, and is named")
        }
    }
}
