import Contract
import Database
import Postgres
import Rooms

/// The way in which a server reads rooms: as it owns them and keeps them.
struct MembershipReading: Sendable {
    /// The time before a slot at which its rooms open.
    let lead: Duration
    /// The identity of the file that keeps the rooms of this server, stored in `members.log`.
    let log: Identifier
    let owner: Identifier
    let pool: PostgresPool

    /// Returns those of the rooms that are open, each as of one instant.
    func memberships(of ids: [Identifier]) async throws -> [Membership] {
        var memberships: [Membership] = []
        try await MembershipReader.read(ids, lead: lead, log: log, owner: owner, from: pool) {
            memberships.append($0)
        }
        return memberships
    }
}

/// A wish to own a room, if it still has that owner and that term, and the ground still holds.
package struct RoomClaim: Hashable, Sendable {
    let room: Identifier
    let owner: Identifier?
    let term: Int32
    let ground: RoomOwners.Ground

    private struct Source: Hashable {
        let owner: Identifier?
        let ground: RoomOwners.Ground
    }

    private var source: Source { Source(owner: owner, ground: ground) }

    /// Makes `me` the owner of the rooms. Returns the new terms of those that it owns now.
    static func make(
        _ claims: [RoomClaim], by me: Identifier, in rows: some RoomRows
    ) async throws -> [RoomClaim: Int32] {
        var terms: [RoomClaim: Int32] = [:]
        let parts = Dictionary(grouping: claims.sorted { $0.room < $1.room }, by: \.source).values
        for part in parts.sorted(by: { $0[0].room < $1[0].room }) {
            guard let source = part.first?.source else { continue }
            // A room of which two terms are asked for has one of them at most.
            let claimed = try await RoomOwners.claim(
                part.map { ($0.room, $0.term) }, from: source.owner, on: source.ground, by: me, in: rows)
            for claim in part where claimed[claim.room] == claim.term + 1 { terms[claim] = claim.term + 1 }
        }
        return terms
    }
}
