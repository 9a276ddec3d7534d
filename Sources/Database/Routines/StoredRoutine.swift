package import Contract
package import Postgres

/// A routine as it is in the database.
package struct StoredRoutine: Equatable, Sendable {
    package var id: Identifier
    package var user: Identifier
    package var task: String
    package var tag: String?
    package var rule: RecurrenceRule
    /// The first day that may be one of the rule.
    package var startDate: LocalDate
    package var localTime: LocalTime
    package var timeZone: String
    package var createdAt: Timestamp
    package var updatedAt: Timestamp
    package var pausedAt: Timestamp?
    /// The first day for which the routine as it is now speaks; occurrences before it stay as they were.
    package var actsFrom: LocalDate
    /// The instant at which its occurrences were last registered.
    package var plannedAt: Timestamp

    package init(
        _ new: NewRoutine, id: Identifier, of user: Identifier, timeZone: String, today: LocalDate,
        at now: Timestamp
    ) {
        self.id = id
        self.user = user
        task = new.task
        tag = new.tag
        rule = new.rrule
        startDate = new.startDate ?? today
        localTime = new.localTime
        self.timeZone = timeZone
        createdAt = now
        updatedAt = now
        actsFrom = startDate
        plannedAt = now
    }

    private static let columns = """
        id, user_id, task, tag, rrule, start_date, local_time, time_zone, created_at, updated_at, paused_at,
        acts_from, planned_at
        """

    private static let one = "SELECT \(columns) FROM routines WHERE id = $1 AND user_id = $2"

    private static let due = """
        SELECT \(columns) FROM routines WHERE id = $1 AND due_at <= $2 AND paused_at IS NULL
        """

    private static let page = """
        SELECT \(columns) FROM routines
        WHERE user_id = $1 AND ($2::uuid IS NULL OR id > $2)
        ORDER BY id
        LIMIT $3
        """

    private static let count = "SELECT count(*) FROM routines WHERE user_id = $1"

    private static let insert = """
        INSERT INTO routines (\(columns))
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        """

    private static let update = """
        UPDATE routines SET
            task = $2, tag = $3, rrule = $4, start_date = $5, local_time = $6, time_zone = $7,
            updated_at = $8, paused_at = $9, acts_from = $10, planned_at = $11,
            due_at = CASE WHEN $9::timestamptz IS NULL THEN due_at END
        WHERE id = $1
        """

    private static let delete = "DELETE FROM routines WHERE id = $1"

    private init(_ row: PostgresRow) throws(PostgresError) {
        let rule: String
        (
            id, user, task, tag, rule, startDate, localTime, timeZone, createdAt, updatedAt, pausedAt,
            actsFrom,
            plannedAt
        ) = try row.decode(
            Identifier.self, Identifier.self, String.self, String?.self, String.self, LocalDate.self,
            LocalTime.self, String.self, Timestamp.self, Timestamp.self, Timestamp?.self, LocalDate.self,
            Timestamp.self)
        do throws(ValidationError) {
            self.rule = try RecurrenceRule(rule)
        } catch {
            throw .decoding("a rule that cannot be read")
        }
    }

    /// Returns nil where the user has no such routine.
    package static func find(
        _ id: Identifier, of user: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) -> StoredRoutine? {
        try await connection.query(one, [id, user]).first.map(StoredRoutine.init)
    }

    /// Returns nil where the routine is not due at that time any more.
    static func findDue(
        _ id: Identifier, at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> StoredRoutine? {
        try await connection.query(due, [id, now]).first.map(StoredRoutine.init)
    }

    /// Returns one page of the routines of a user, oldest first.
    package static func page(
        of user: Identifier, after: Identifier?, limit: Int, on connection: PostgresConnection
    ) async throws(PostgresError) -> [StoredRoutine] {
        try await connection.query(page, [user, after, Int64(limit)])
            .map { row throws(PostgresError) in try StoredRoutine(row) }
    }

    /// Returns the number of the routines of a user.
    package static func count(
        of user: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) -> Int64 {
        try await connection.query(count, [user])[0].decode(0, Int64.self)
    }

    package func insert(on connection: PostgresConnection) async throws(PostgresError) {
        try await connection.query(
            Self.insert,
            [
                id, user, task, tag, rule.description, startDate, localTime, timeZone, createdAt, updatedAt,
                pausedAt, actsFrom, plannedAt,
            ])
    }

    package func update(on connection: PostgresConnection) async throws(PostgresError) {
        try await connection.query(
            Self.update,
            [
                id, task, tag, rule.description, startDate, localTime, timeZone, updatedAt, pausedAt,
                actsFrom,
                plannedAt,
            ])
    }

    /// Deletes the routine. Its registrations stay.
    package func delete(on connection: PostgresConnection) async throws(PostgresError) {
        try await connection.query(Self.delete, [id])
    }
}
