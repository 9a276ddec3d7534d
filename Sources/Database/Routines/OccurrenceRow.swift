import Contract
import Postgres

/// A day of a routine on which something was registered, or could not be, or which is left out.
struct OccurrenceRow: Sendable {
    let date: LocalDate
    /// The start of the slot; nil for a day that is left out.
    let startsAt: Timestamp?
    /// The registration of the day. If the state is `planned`, a pause has cancelled it, and the routine
    /// takes it back when it goes on.
    let registration: Identifier?
    /// The key of the slot of the registration, as it is stored.
    var key: Timestamp?
    /// The state, in which a registration that the user has cancelled counts as skipped.
    let state: RoutineOccurrence.State

    /// Whether something may be registered later, once there is a place.
    var isTriedAgain: Bool {
        switch state {
        case .conflict, .limit, .attendance, .offGrid: true
        case .planned, .registered, .skipped, .late: false
        }
    }

    /// The most rows that are read: a row for each day ahead, those of the last month, and days that are left
    /// out.
    private static let most: Int64 = 2000

    private static let select = """
        SELECT occurrence.date, occurrence.starts_at, occurrence.registration_id, registration.starts_at,
            CASE WHEN registration.cancelled_at IS NULL OR occurrence.outcome = 'planned'
                THEN occurrence.outcome ELSE 'skipped' END
        FROM routine_occurrences AS occurrence
        LEFT JOIN registrations AS registration ON registration.id = occurrence.registration_id
        WHERE occurrence.routine_id = $1 AND occurrence.date >= $2
        ORDER BY occurrence.date
        LIMIT $3
        """

    private static let upsert = """
        INSERT INTO routine_occurrences (routine_id, date, starts_at, registration_id, outcome)
        SELECT $1, date, starts_at, registration_id, outcome
        FROM unnest($2::date[], $3::timestamptz[], $4::uuid[], $5::text[])
            AS new (date, starts_at, registration_id, outcome)
        ON CONFLICT (routine_id, date) DO UPDATE SET
            starts_at = excluded.starts_at, registration_id = excluded.registration_id,
            outcome = excluded.outcome
        """

    /// Reads the rows of a routine from a day on, in their order.
    static func read(
        of routine: Identifier, from date: LocalDate, on connection: PostgresConnection
    ) async throws(PostgresError) -> [OccurrenceRow] {
        try await connection.query(select, [routine, date, most])
            .read(OccurrenceRow.init(date:startsAt:registration:key:state:))
    }

    /// Writes rows, replacing those that the days have.
    static func write(
        _ rows: [OccurrenceRow], of routine: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) {
        if rows.isEmpty { return }
        try await connection.query(
            upsert,
            [
                routine, rows.map(\.date), rows.map(\.startsAt), rows.map(\.registration),
                rows.map(\.state.rawValue),
            ])
    }
}
