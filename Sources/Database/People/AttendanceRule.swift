import Contract
package import Postgres
package import Settings

/// The rule that a user who comes too seldom may hold only a few registrations at a time. There is no rule if
/// the setting is off.
package struct AttendanceRule: Sendable {
    /// The number of sessions that have to be counted before the rule is applied, so that a bad start costs
    /// nothing.
    static let fewest = 5

    /// The attendance that is asked for, in per cent, 1 to 100.
    package let limit: Int
    /// The number of open registrations that a user below the limit may hold.
    package let allowed: Int

    package init?(_ configuration: ServerConfiguration) {
        guard configuration.attendanceLimit > 0 else { return nil }
        limit = configuration.attendanceLimit
        allowed = configuration.openRegistrations
    }

    private static let countOpen = """
        SELECT user_id, count(*)
        FROM registrations JOIN slots USING (starts_at)
        WHERE user_id = ANY($1::uuid[]) AND cancelled_at IS NULL AND closed_at IS NULL AND ends_at > $2
        GROUP BY user_id
        """

    static let countAttended = """
        SELECT user_id, sum(attended)::int8, sum(counted)::int8
        FROM (
            SELECT user_id, CASE WHEN outcome = 'attended' THEN 1 ELSE 0 END AS attended, 1 AS counted
            FROM (\(SlotOutcomes.rows(of: "$1::uuid[]"))) AS slot
            WHERE outcome IN \(SlotOutcomes.counted)
            UNION ALL
            SELECT user_id, attended, attended + missed + cancelled FROM past_sums
                WHERE user_id = ANY($1::uuid[])
        ) AS session
        GROUP BY user_id
        """

    /// Returns the requests that are not admitted, by their index: refused, or to be tried again if that
    /// depends on an earlier one of the same user. The users are held.
    package func refused(
        _ requests: [RegistrationRequest], on connection: PostgresConnection
    ) async throws(PostgresError) -> [Int: RegistrationWriter.Decision] {
        guard let now = requests.map(\.createdAt).max() else { return [:] }
        var wanted: [Identifier: Int64] = [:]
        for request in requests { wanted[request.user, default: 0] += Int64(request.slots.count) }
        let users = wanted.keys.sorted()
        let open: [Identifier: Int64] = try await connection.query(Self.countOpen, [users, now]).dictionary()
        let many = users.filter { (open[$0] ?? 0) + (wanted[$0] ?? 0) > Int64(allowed) }
        if many.isEmpty { return [:] }
        var below: [Identifier: Attendance] = [:]
        for row in try await connection.query(Self.countAttended, [many]) {
            let (user, attended, counted) = try row.decode(Identifier.self, Int64.self, Int64.self)
            guard counted >= Self.fewest, attended * 100 < counted * Int64(limit) else { continue }
            below[user] = Attendance(
                attended: attended, counted: counted, limit: limit, open: open[user] ?? 0, allowed: allowed)
        }
        let none = Attendance(attended: 0, counted: 0, limit: limit, open: 0, allowed: allowed)
        return RegistrationLimit.refused(
            requests, room: { below[$0].map { Int64(allowed) - $0.open } ?? .max },
            size: { Int64($0.slots.count) }, outcome: { .tooSeldom(below[$0] ?? none) })
    }
}
