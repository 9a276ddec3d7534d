import Contract
import Matching
import Postgres

/// Reads what the people of a slot know of each other.
struct PostgresTies {
    let startsAt: Timestamp
    let connection: PostgresConnection
    /// As it was then; nil: as it is.
    var asOf: Timestamp?

    /// Pairs of registrations of the slot, `one` and `other`, by their users. Cancelled ones among them are passed over
    /// by who looks for people.
    private static func pairs(_ table: String, _ asOf: Timestamp?) -> String {
        let isInForce =
            asOf == nil
            ? "removed_at IS NULL AND $2::timestamptz IS NULL"
            : "\(table).created_at <= $2 AND (removed_at IS NULL OR removed_at > $2)"
        return """
            SELECT one.id, other.id
            FROM \(table)
            JOIN registrations AS one ON one.user_id = \(table).user_id AND one.starts_at = $1
            JOIN registrations AS other ON other.user_id = other_id AND other.starts_at = $1
            WHERE \(isInForce)
            """
    }

    private static let meetings = """
        SELECT one.id, other.id, array_agg(extract(day FROM $1 - past.starts_at)::int4)
        FROM registrations AS one
        JOIN registrations AS past ON past.user_id = one.user_id
            AND past.starts_at < $1 AND past.starts_at > $1 - interval '31 days'
        JOIN members AS mine ON mine.registration_id = past.id AND mine.entered_at IS NOT NULL
        JOIN members AS theirs ON theirs.room_id = mine.room_id AND theirs.entered_at IS NOT NULL
            AND theirs.registration_id <> mine.registration_id
        JOIN registrations AS known ON known.id = theirs.registration_id
        JOIN registrations AS other ON other.user_id = known.user_id AND other.starts_at = $1
        WHERE one.starts_at = $1 AND one.user_id IS NOT NULL
        """

    private static let meetingsOfAll = "\(meetings) AND one.id < other.id GROUP BY one.id, other.id"

    private static let meetingsOfSome = "\(meetings) AND one.id = ANY($2::uuid[]) GROUP BY one.id, other.id"

    func blocks() async throws -> [SlotTie] {
        try await read(.block, Self.pairs("blocks", asOf))
    }

    /// Everything, or what concerns one of `some` at least.
    func all(of some: [UUID]? = nil) async throws -> [SlotTie] {
        if let some, some.isEmpty { return [] }
        var ties = try await blocks()
        ties += try await read(.favourite, Self.pairs("favourites", asOf))
        let rows =
            if let some {
                try await connection.query(Self.meetingsOfSome, [startsAt, some])
            } else {
                try await connection.query(Self.meetingsOfAll, [startsAt])
            }
        ties.reserveCapacity(ties.count + rows.count)
        for row in rows {
            let (first, second, days) = try row.decode(UUID.self, UUID.self, [Int32].self)
            let cost = MatchWeights.meetings(daysAgo: days.lazy.map(Int.init))
            if cost > 0 { ties.append(SlotTie(first: first, second: second, kind: .meetings(cost))) }
        }
        return ties
    }

    private func read(_ kind: SlotTie.Kind, _ statement: String) async throws -> [SlotTie] {
        var ties: [SlotTie] = []
        for row in try await connection.query(statement, [startsAt, asOf]) {
            let (first, second) = try row.decode(UUID.self, UUID.self)
            ties.append(SlotTie(first: first, second: second, kind: kind))
        }
        return ties
    }
}
