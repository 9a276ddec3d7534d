import Contract
import Postgres

@testable import Database
@testable import Scheduling

/// PostgreSQL as the subject of a script.
struct PostgresSubject: ScriptSubject {
    let pool: PostgresPool

    var store: any ScheduleStore {
        PostgresSchedule(pool: pool, serverName: "here", endsAtOnce: Int64(ModelStore.endsAtOnce))
    }

    func register(_ registration: ScriptRegistration) async throws -> String {
        let begin = Timestamp(seconds: 0)
        try await pool.query(
            """
            INSERT INTO users (id, name, time_zone, token_hash, created_at)
            VALUES ($1, 'somebody', 'UTC', sha256($1::uuid::text::bytea), $2) ON CONFLICT DO NOTHING
            """, [registration.user, begin])
        let slot = RequestedSlot(
            id: registration.id, startsAt: registration.startsAt,
            endsAt: registration.startsAt.adding(.seconds(1800)))
        let new = RegistrationRequest(
            user: registration.user, task: "write", tag: registration.tag, createdAt: begin, slots: [slot])
        let results = try await pool.transaction { try await RegistrationWriter.write([new], on: $0) }.0
        if results.first == .settled(.registered), registration.intent != SlotIntent() {
            try await pool.query(
                "INSERT INTO intents (registration_id, favourites_only, invited_by) VALUES ($1, $2, $3)",
                [registration.id, registration.intent.favouritesOnly, registration.intent.invitedBy])
        }
        return switch results.first {
        case .settled(.registered)?: "registered"
        case .settled(.taken)?: "taken"
        case .settled(.over)?: "over"
        default: "\(results)"
        }
    }

    func cancel(_ registration: ScriptRegistration, at now: Timestamp) async throws {
        try await pool.transaction { connection in
            try await SlotLock.take(registration.startsAt, on: connection)
            let cancelled = try await connection.execute(
                "UPDATE registrations SET cancelled_at = $2 WHERE id = $1 AND cancelled_at IS NULL",
                [registration.id, now])
            if cancelled == 0 { return }
            let departure = try await RoomDeparture.leave([registration.id], on: connection)
            try await NotificationWriter.write(departure.notices, at: now, on: connection)
        }
    }

    func visit(_ registration: ScriptRegistration, isPresent: Bool, at now: Timestamp) async throws {
        let statement =
            isPresent
            ? "entered_at = coalesce(entered_at, $2), present_on = 'here', away_since = NULL"
            : "present_on = NULL, away_since = $2"
        try await pool.query(
            "UPDATE members SET \(statement) WHERE registration_id = $1 AND left_revision IS NULL",
            [registration.id, now])
    }

    func block(_ one: ScriptRegistration, _ other: ScriptRegistration) async throws {
        try await pool.query(
            """
            INSERT INTO blocks (user_id, other_id, registration_id, created_at)
            SELECT $1, $2, id, to_timestamp(0) FROM registrations WHERE user_id = $2 LIMIT 1
            ON CONFLICT DO NOTHING
            """, [one.user, other.user])
    }

    func outages() async throws -> [ClosedRange<Timestamp>] {
        try await pool.query("SELECT began_at, ended_at FROM outages ORDER BY began_at").map { row in
            let (began, ended) = try row.decode(Timestamp.self, Timestamp.self)
            return began...ended
        }
    }

    func notifications() async throws -> [ScriptNotification] {
        let rows = try await pool.query(
            "SELECT type, registration_id, room_id, revision FROM notifications ORDER BY id")
        var notifications: [ScriptNotification] = []
        for row in rows {
            notifications.append(
                ScriptNotification(
                    type: try row.decode(0, String.self), registration: try row.decode(1, Identifier.self),
                    room: try row.decode(2, Identifier?.self), revision: try row.decode(3, Int32?.self)))
        }
        return notifications
    }
}
