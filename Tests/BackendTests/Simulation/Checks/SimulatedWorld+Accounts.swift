import Contract
import Scheduling

@testable import Backend

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
