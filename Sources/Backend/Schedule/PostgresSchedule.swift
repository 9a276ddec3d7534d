import Contract
import Postgres

/// The schedule as PostgreSQL has it.
struct PostgresSchedule: ScheduleStore {
    let pool: PostgresPool

    private static let readAgenda = """
        SELECT starts_at, ends_at, opened_at IS NOT NULL, served_at IS NOT NULL,
            opened_at IS NOT NULL AND EXISTS (
                SELECT FROM registrations
                WHERE registrations.starts_at = slots.starts_at AND cancelled_at IS NULL AND user_id IS NOT NULL
                    AND NOT EXISTS (
                        SELECT FROM members WHERE registration_id = registrations.id AND left_revision IS NULL))
        FROM slots WHERE closed_at IS NULL
        """

    private static let markServed = """
        UPDATE slots SET served_at = $2 WHERE starts_at = $1 AND served_at IS NULL
        """

    func agenda() async throws -> [AgendaEntry] {
        var entries: [AgendaEntry] = []
        for row in try await pool.query(Self.readAgenda, retrying: true) {
            let (startsAt, endsAt, isOpened, isServed, isLate) = try row.decode(
                Timestamp.self, Timestamp.self, Bool.self, Bool.self, Bool.self)
            entries.append(
                AgendaEntry(
                    startsAt: startsAt, endsAt: endsAt, isOpened: isOpened, isServed: isServed,
                    hasLateArrivals: isLate))
        }
        return entries
    }

    func serve(_ startsAt: Timestamp, at now: Timestamp) async throws {
        try await pool.execute(Self.markServed, [startsAt, now])
    }

    func transaction<Value: Sendable>(
        on startsAt: Timestamp, _ body: (any SlotTransaction) async throws -> Value
    ) async throws -> Value {
        try await pool.transaction(attempts: 3) { connection in
            try await SlotLock.take(startsAt, on: connection)
            return try await body(PostgresSlot(startsAt: startsAt, connection: connection))
        }
    }
}
