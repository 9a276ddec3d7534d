import Contract
import Matching
import Postgres
import Scheduling

/// Reads the edges between the people of a slot.
struct PostgresSlotEdges {
    package let startsAt: Timestamp
    package let connection: PostgresConnection
    /// The instant as of which edges are read; nil for now.
    var asOf: Timestamp?
    /// The time for all statements together; nil for each statement's own timeout.
    var budget: TimeBudget?

    /// Returns SQL for pairs of registrations of the slot, `one` and `other`, by their users.
    private func pairs(_ table: String) -> String {
        let isInForce =
            asOf == nil
            ? "removed_at IS NULL AND $2::timestamptz IS NULL"
            : "\(table).created_at <= $2 AND (removed_at IS NULL OR removed_at > $2)"
        return """
            SELECT one.id, other.id
            FROM \(table)
            JOIN registrations AS one ON one.user_id = \(table).user_id AND one.starts_at = $1
            JOIN registrations AS other ON other.user_id = other_id AND other.starts_at = $1
            WHERE \(isInForce) AND \(isRegistered)
            """
    }

    /// SQL by which `one` and `other` are found in the index of their slot. For an earlier instant it is
    /// `true`: the reader of people passes over those who had cancelled.
    private var isRegistered: String {
        asOf == nil ? "one.cancelled_at IS NULL AND other.cancelled_at IS NULL" : "true"
    }

    /// Returns SQL for the meetings of pairs. Each session counts once, and only for people who were in the
    /// room together.
    private func meetings(_ condition: String) -> String {
        """
        SELECT one, other, array_agg(extract(day FROM
            date_trunc('second', $1::timestamptz) - date_trunc('second', starts_at))::int4)
        FROM (
            SELECT DISTINCT one.id AS one, other.id AS other, past.starts_at
            FROM registrations AS one
            JOIN registrations AS past ON past.user_id = one.user_id
                AND past.starts_at < $1 AND past.starts_at > $1 - interval '31 days'
            JOIN members AS mine ON mine.registration_id = past.id AND mine.entered_at IS NOT NULL
            JOIN members AS theirs ON \(Met.together("mine", "theirs")) AND theirs.entered_at IS NOT NULL
            JOIN registrations AS known ON known.id = theirs.registration_id AND known.user_id <> past.user_id
            JOIN registrations AS other ON other.user_id = known.user_id AND other.starts_at = $1
            WHERE one.starts_at = $1 AND \(isRegistered) AND \(condition)
        ) AS meeting
        GROUP BY one, other
        """
    }

    /// Returns all edges, or those of at least one of `some`.
    package func all(of some: [Identifier]? = nil) async throws -> [SlotEdge] {
        if let some, some.isEmpty { return [] }
        var edges = try await read(.block, "blocks", of: some)
        edges += try await read(.favourite, "favourites", of: some)
        let rows =
            if let some {
                try await connection.query(
                    meetings("one.id = ANY($2::uuid[])"), [startsAt, some], within: budget)
            } else {
                try await connection.query(meetings("one.id < other.id"), [startsAt], within: budget)
            }
        edges.reserveCapacity(edges.count + rows.count)
        for row in rows {
            let (first, second, days) = try row.decode(Identifier.self, Identifier.self, [Int32].self)
            let cost = MatchWeights.meetings(daysAgo: days.lazy.map(Int.init))
            if cost > 0 { edges.append(SlotEdge(first: first, second: second, kind: .meetings(cost))) }
        }
        return edges
    }

    /// Returns the edges of one kind, which stand in `table`: all, or those of at least one of `some`.
    func read(_ kind: SlotEdge.Kind, _ table: String, of some: [Identifier]?) async throws
        -> [SlotEdge]
    {
        let statement = pairs(table)
        let rows =
            if let some {
                try await connection.query(
                    "\(statement) AND one.id = ANY($3::uuid[]) "
                        + "UNION \(statement) AND other.id = ANY($3::uuid[])",
                    [startsAt, asOf, some], within: budget)
            } else {
                try await connection.query(statement, [startsAt, asOf], within: budget)
            }
        return try rows.map { SlotEdge(first: try $0.decode(0), second: try $0.decode(1), kind: kind) }
    }
}
