import Contract
import Postgres
import Testing

@testable import BackendTesting

/// An account about which every table has something, and another one that met it.
struct FilledAccount {
    let token: String
    let id: Identifier
    let other: Identifier
    let otherToken: String
    let room: Identifier
    let registration: Identifier
    let otherRegistration: Identifier

    /// Words that are in what the account has, and nowhere else.
    static let words = ["Anna-", "anna-"]
    /// Words that are in what the other account has, and nowhere else.
    static let otherWords = ["Bertram-", "bertram-"]

    private static let slot = "2027-03-01T13:00:00Z"

    /// Lends a world to the body, and a filled account in it.
    static func with(
        _ body: @Sendable (RESTWorld, FilledAccount) async throws -> Void
    ) async throws {
        try await RESTWorld.with { try await body($0, try await make(in: $0)) }
    }

    static func make(in world: RESTWorld) async throws -> FilledAccount {
        let token = try await world.signUp("Anna-name")
        let otherToken = try await world.signUp("Bertram-name")
        let (id, other) = (try await Self.id(token, world), try await Self.id(otherToken, world))
        let mine = try await world.register(token, slot, task: "Anna-task")
        let theirs = try await world.register(otherToken, slot, task: "Bertram-task")
        let room = try await world.open([mine, theirs], at: slot)
        let account = FilledAccount(
            token: token, id: id, other: other, otherToken: otherToken, room: room, registration: mine,
            otherRegistration: theirs)
        try await account.fillAccount(world)
        try await account.fillSessions(world, theirs)
        try await account.fillRoutines(world)
        try await account.fillIntents(world)
        try await account.fillPeople(world, theirs)
        try await account.fillDesk(world)
        return account
    }

    private static func id(_ token: String, _ world: RESTWorld) async throws -> Identifier {
        let text = try await world.send("GET", "/v1/me", token: token).json()["user"]?["id"]?.string
        return try #require(text.flatMap { Identifier($0) })
    }

    private func run(
        _ world: RESTWorld, _ parameters: [any PostgresEncodable], _ statements: String...
    ) async throws {
        for statement in statements { try await world.pool.query(statement, parameters) }
    }

    private func fillAccount(_ world: RESTWorld) async throws {
        try await run(
            world, [id],
            """
            UPDATE users SET language = 'de' WHERE id = $1
            """,
            """
            INSERT INTO tokens (
                user_id, number, hash, created_at, label, prefix, expires_at, last_used_at, made_by)
            VALUES ($1, -7, sha256('a'), now(), 'Anna-bot', 'lsk_anna', now() + interval '1 day', now(), 1)
            """,
            """
            INSERT INTO tokens (user_id, number, hash, created_at, pending_until, made_under)
            VALUES ($1, 2, sha256('b'), now(), now() + interval '1 day', sha256('k'))
            """,
            """
            UPDATE recovery_codes SET previous_hash = sha256('r'), previous_until = now() + interval '1 hour',
                guarded_until = now() - interval '1 hour'
            WHERE user_id = $1
            """,
            """
            INSERT INTO sign_in_codes (user_id, hash, created_at, expires_at)
            VALUES ($1, sha256('i'), now(), now() + interval '1 day')
            """,
            """
            INSERT INTO idempotency_keys (name, user_id, fingerprint, made_at, status, fields, body, gaps,
                secret, secret_hash, salt)
            VALUES (sha256('k'), $1, sha256('f'), now(), 201, 'x: anna-field', 'anna-body', '{1}', 'token',
                sha256('s'), sha256('t'))
            """,
            """
            INSERT INTO calendars (id, user_id, hash, created_at, last_read_at)
            VALUES (gen_random_uuid(), $1, sha256('c'), now(), now())
            """,
            """
            INSERT INTO endpoints (id, user_id, kind, address, host, types, secret, created_at, failing_since,
                disabled_at, reason, verified_at)
            VALUES (gen_random_uuid(), $1, 'webhook', 'https://anna-host/hook', 'anna-host:443',
                '{room.opened,session.missed}', sha256('1'), now(), now(), now(), 'anna-reason', now())
            """,
            """
            INSERT INTO retired_secrets (endpoint_id, secret, valid_until)
            SELECT id, sha256('2'), now() FROM endpoints WHERE user_id = $1
            """,
            """
            INSERT INTO endpoints (id, user_id, kind, address, host, environment, created_at, registered_at,
                farewell_at)
            VALUES (gen_random_uuid(), $1, 'apns', 'anna-device', 'apns', 'sandbox', now(), now(), now())
            """,
            """
            INSERT INTO endpoints (id, user_id, kind, address, host, p256dh, auth, created_at)
            VALUES (gen_random_uuid(), $1, 'webpush', 'https://anna-push/', 'anna-push:443',
                convert_to(repeat('p', 65), 'UTF8'), convert_to(repeat('a', 16), 'UTF8'), now())
            """)
    }

    private func fillSessions(_ world: RESTWorld, _ theirs: Identifier) async throws {
        try await run(
            world, [id, registration],
            """
            UPDATE registrations SET tag = 'anna-tag', adjusted = 'gap', cancelled_at = now()
            WHERE id = $2 AND user_id = $1
            """,
            """
            UPDATE members SET entered_at = now(), present_on = 'server-one', away_since = now(),
                log = gen_random_uuid(), ales_sent = 3, left_revision = 2
            WHERE registration_id = $2 AND $1::uuid IS NOT NULL
            """,
            """
            INSERT INTO left_alone (registration_id, user_id, starts_at)
            SELECT id, user_id, starts_at FROM registrations WHERE id = $2 AND user_id = $1
            """,
            """
            INSERT INTO notifications (user_id, type, created_at, registration_id, room_id, revision)
            SELECT $1, 'room.opened', now(), registration_id, room_id, 1
            FROM members WHERE registration_id = $2
            """,
            """
            INSERT INTO deliveries (
                endpoint_id, notification_id, priority, due_at, expires_at, courier, attempts)
            SELECT endpoints.id, notifications.id, 0, now(), now(), 'server-one', 1
            FROM endpoints JOIN notifications USING (user_id)
            WHERE user_id = $1 AND kind = 'webhook' AND $2::uuid IS NOT NULL
            """,
            """
            INSERT INTO deliveries (endpoint_id, priority, due_at, settled_at, outcome)
            SELECT id, 0, now(), now(), 'delivered' FROM endpoints
            WHERE user_id = $1 AND kind = 'webhook' AND $2::uuid IS NOT NULL
            """,
            """
            INSERT INTO attempts (delivery_id, endpoint_id, at, seconds, outcome, detail)
            SELECT deliveries.id, endpoint_id, now(), 0.5, 'delivered', 'anna-detail'
            FROM deliveries JOIN endpoints ON endpoints.id = endpoint_id
            WHERE user_id = $1 AND $2::uuid IS NOT NULL
            """)
        try await run(
            world, [other, theirs],
            "UPDATE registrations SET tag = 'bertram-tag' WHERE id = $2 AND user_id = $1",
            """
            INSERT INTO notifications (user_id, type, created_at, registration_id)
            VALUES ($1, 'session.missed', now(), $2)
            """)
    }

    private func fillIntents(_ world: RESTWorld) async throws {
        try await run(
            world, [id, registration],
            """
            INSERT INTO registrations_made (user_id, day, made)
            SELECT user_id, created_at::date, 1 FROM registrations WHERE id = $2 AND user_id = $1
            """,
            """
            INSERT INTO intents (registration_id, favourites_only, quiet)
            SELECT id, true, true FROM registrations WHERE id = $2 AND user_id = $1
            """,
            """
            INSERT INTO invites (hash, registration_id, created_at, used_at, let_in_at)
            SELECT sha256('i'), id, now(), now(), now() FROM registrations WHERE id = $2 AND user_id = $1
            """)
    }

    private func fillRoutines(_ world: RESTWorld) async throws {
        try await run(
            world, [id, registration],
            """
            INSERT INTO routines (
                id, user_id, task, tag, rrule, start_date, local_time, time_zone, created_at, updated_at,
                paused_at, acts_from, planned_at, due_at)
            VALUES ($2, $1, 'Anna-routine', 'anna-tag', 'FREQ=DAILY', '2027-03-01', '13:00', 'UTC', now(),
                now(), now(), '2027-03-01', now(), now())
            """,
            """
            INSERT INTO routine_occurrences (routine_id, date, starts_at, registration_id, outcome)
            SELECT id, date '2027-03-01', starts_at, id, 'registered' FROM registrations
            WHERE id = $2 AND user_id = $1
            """,
            """
            INSERT INTO session_words (registration_id, user_id, check_in, outcome, note, updated_at)
            VALUES ($2, $1, 'Anna-check-in', 'partly', 'anna-note', now())
            """,
            """
            INSERT INTO registration_spans (registration_id, user_id, span)
            SELECT id, user_id, tstzrange(starts_at, starts_at + interval '25 minutes') FROM registrations
            WHERE id = $2 AND user_id = $1
            """)
    }

    private func fillPeople(_ world: RESTWorld, _ theirs: Identifier) async throws {
        try await run(
            world, [id, other, theirs],
            """
            INSERT INTO blocks (user_id, other_id, registration_id, report, created_at, removed_at)
            VALUES ($1, $2, $3, 'anna-report', now(), now())
            """,
            """
            INSERT INTO favourites (user_id, other_id, registration_id, created_at, removed_at)
            VALUES ($1, $2, $3, now(), now())
            """,
            """
            INSERT INTO past_sums (user_id, attended, missed, cancelled, current_streak, longest_streak,
                ales_sent, ales_received, entries, entry_seconds, alone_at, seated_at, done, partly, not_done)
            SELECT person, 1, 2, 3, 4, 5, 6, 7, 8, 9, date_trunc('second', now()),
                date_trunc('second', now()), 10, 11, 12
            FROM (VALUES ($1::uuid), ($2)) AS people (person) WHERE $3::uuid IS NOT NULL
            """,
            """
            INSERT INTO past_entries (user_id, seconds, times)
            SELECT person, 61, 2 FROM (VALUES ($1::uuid), ($2)) AS people (person) WHERE $3::uuid IS NOT NULL
            """,
            """
            INSERT INTO past_meetings (one_id, other_id, last_at, times)
            SELECT least($1::uuid, $2), greatest($1::uuid, $2), date_trunc('second', now()), 3
            WHERE $3::uuid IS NOT NULL
            """)
        try await run(
            world, [id, other, registration],
            """
            INSERT INTO blocks (user_id, other_id, registration_id, report, created_at)
            VALUES ($2, $1, $3, 'bertram-report', now())
            """)
    }

    /// Fills the tables of the operators' desk. The suspension is over, so that the account still has access.
    private func fillDesk(_ world: RESTWorld) async throws {
        try await run(
            world, [id],
            """
            INSERT INTO suspensions (user_id, since, until, reason, operator)
            VALUES ($1, now() - interval '2 hours', now() - interval '1 hour', 'anna-reason', 'operator')
            """,
            "UPDATE reports SET state = 'closed', outcome = 'dismissed', closed_at = now() WHERE by_id = $1",
            """
            INSERT INTO operator_notes (at, operator, person, text)
            VALUES (now(), 'operator', $1, 'anna-note')
            """,
            """
            INSERT INTO announcements (at, operator, text, audience, person, done_at)
            VALUES (now(), 'operator', 'anna-announcement', 'person', $1, now())
            """,
            """
            WITH zeros AS (SELECT decode(repeat('00', 32), 'hex') AS bytes), entry AS (
                INSERT INTO audit (id, at, operator, action, subject, after, request_id, hash)
                SELECT 1, now(), 'operator', 'person.note', 'person', bytes, 'request', bytes FROM zeros
                RETURNING id
            )
            INSERT INTO audit_words (audit_id, person, salt, after)
            SELECT entry.id, $1, bytes, 'anna-words' FROM entry, zeros
            """)
    }
}
