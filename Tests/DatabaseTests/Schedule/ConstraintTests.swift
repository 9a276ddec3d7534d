import Contract
import Postgres
import PostgresTesting
import Testing

@testable import BackendTesting
@testable import Database

/// Tests of invariants that the schema enforces, with statements to the database itself.
@Suite("The schema forbids")
struct ConstraintTests {
    /// Two people who were matched with each other: their registrations, users and room.
    private struct Pair {
        let fixture: ScheduleFixture
        let first: String
        let second: String
        let user: String
        let otherUser: String
        let room: String

        static func with(_ body: (Pair) async throws -> Void) async throws {
            try await ScheduleFixture.withMatched(2) { fixture, ids in
                var users: [String] = []
                for id in ids {
                    let rows = try await fixture.pool.query(
                        "SELECT user_id::text FROM registrations WHERE id = $1", [id])
                    users.append(try rows[0].decode(0, String.self))
                }
                let room = try #require(try await fixture.rooms().keys.first)
                try await body(
                    Pair(
                        fixture: fixture, first: "\(ids[0])", second: "\(ids[1])", user: users[0],
                        otherUser: users[1], room: "\(room)"))
            }
        }

        /// Expects that the constraint refuses the statement, in which `{…}` stand for values of the pair.
        func refuses(
            _ statement: String, by constraint: String, _ state: SQLState = .uniqueViolation,
            _ location: SourceLocation = #_sourceLocation
        ) async {
            var sql = statement
            for (name, value) in [
                ("{first}", first), ("{second}", second), ("{user}", user), ("{other}", otherUser),
                ("{room}", room), ("{slot}", "\(ScheduleFixture.slot)"),
            ] {
                sql = sql.split(separator: name, omittingEmptySubsequences: false)
                    .joined(separator: "'\(value)'")
            }
            let refusal = await #expect(throws: PostgresError.self, "\(sql)", sourceLocation: location) {
                try await fixture.pool.query(sql)
            }
            #expect(refusal?.sqlState == state, "\(sql)", sourceLocation: location)
            #expect(refusal?.constraint == constraint, "\(sql)", sourceLocation: location)
        }
    }

    @Test("a second live registration of a user for a slot; a cancelled one stays beside it")
    func registration() async throws {
        try await Pair.with { pair in
            let again = """
                INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at)
                VALUES (gen_random_uuid(), {user}, {slot}, 'again', now(), now())
                """
            await pair.refuses(again, by: "registrations_one_live")
            try await pair.fixture.pool.query(
                "UPDATE registrations SET cancelled_at = now() WHERE id = $1::text::uuid", [pair.first])
            try await pair.fixture.pool.query(
                """
                INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at)
                VALUES (gen_random_uuid(), $1::text::uuid, $2, 'again', now(), now())
                """, [pair.user, ScheduleFixture.slot])
            await pair.refuses(
                "UPDATE registrations SET cancelled_at = NULL WHERE id = {first}",
                by: "registrations_one_live")
        }
    }

    @Test("a second occurrence of a routine at one start or for one registration")
    func occurrence() async throws {
        try await Pair.with { pair in
            let routine = "'00000000-0000-7000-8000-000000000001'"
            try await pair.fixture.pool.query(
                """
                INSERT INTO routines (id, user_id, task, rrule, start_date, local_time, time_zone, created_at,
                    updated_at, acts_from, planned_at)
                VALUES (\(routine), $1::text::uuid, 't', 'FREQ=DAILY', '2027-03-01', '09:00', 'UTC', now(),
                    now(), '2027-03-01', now())
                """, [pair.user])
            func row(_ day: Int, _ start: String, _ registration: String, _ outcome: String) -> String {
                """
                INSERT INTO routine_occurrences (routine_id, date, starts_at, registration_id, outcome)
                VALUES (\(routine), '2027-03-0\(day)', \(start), \(registration), '\(outcome)')
                """
            }
            try await pair.fixture.pool.query(row(1, "'2027-03-01'", "NULL", "conflict"))
            try await pair.fixture.pool.query(
                row(2, "'2027-03-02'", "$1::text::uuid", "registered"), [pair.first])
            await pair.refuses(row(1, "NULL", "NULL", "skipped"), by: "routine_occurrences_pkey")
            await pair.refuses(
                row(3, "'2027-03-01'", "NULL", "limit"), by: "routine_occurrences_one_start")
            await pair.refuses(
                row(3, "'2027-03-03'", "{first}", "registered"),
                by: "routine_occurrences_registration_id_key")
            await pair.refuses(
                row(3, "'2027-03-03'", "NULL", "registered"), by: "routine_occurrences_registered",
                .checkViolation)
            await pair.refuses(
                row(3, "'2027-03-03'", "NULL", "planned"), by: "routine_occurrences_registered",
                .checkViolation)
            await pair.refuses(
                row(3, "'2027-03-03'", "NULL", "skipped"), by: "routine_occurrences_started",
                .checkViolation)
        }
    }

    @Test("a second room for a registration, in the same slot's match or in another")
    func room() async throws {
        try await Pair.with { pair in
            try await pair.fixture.pool.query(
                """
                INSERT INTO rooms (id, starts_at, opened_at)
                VALUES ('00000000-0000-4000-8000-000000000001', $1, now())
                """, [ScheduleFixture.slot])
            await pair.refuses(
                """
                INSERT INTO members (room_id, registration_id)
                VALUES ('00000000-0000-4000-8000-000000000001', {first})
                """, by: "members_one_room")
            await pair.refuses(
                "INSERT INTO members (room_id, registration_id, joined_revision) VALUES ({room}, {first}, 2)",
                by: "members_one_room")
            await pair.refuses(
                "INSERT INTO members (room_id, registration_id) VALUES ({room}, {first})",
                by: "members_pkey")
            await pair.refuses(
                """
                INSERT INTO members (room_id, registration_id)
                VALUES ('00000000-0000-4000-8000-000000000002', {first})
                """, by: "members_one_room")
        }
    }

    @Test("a second unused invite of a registration, two of one code, and an invite of oneself")
    func invites() async throws {
        try await Pair.with { pair in
            let invite = "INSERT INTO invites (hash, registration_id, created_at) VALUES "
            try await pair.fixture.pool.query(
                "\(invite) (sha256('a'), $1::text::uuid, now())", [pair.first])
            await pair.refuses("\(invite) (sha256('b'), {first}, now())", by: "invites_one_unused")
            await pair.refuses("\(invite) (sha256('a'), {second}, now())", by: "invites_pkey")
            await pair.refuses("\(invite) ('a', {second}, now())", by: "invites_hash_check", .checkViolation)
            await pair.refuses(
                "INSERT INTO intents (registration_id, invited_by) VALUES ({first}, {first})",
                by: "intents_somebody_else", .checkViolation)
            try await pair.fixture.pool.query("UPDATE invites SET used_at = now()")
            try await pair.fixture.pool.query(
                "\(invite) (sha256('b'), $1::text::uuid, now())", [pair.first])
        }
    }

    @Test("a second room.opened, and a second end, for a registration")
    func notifications() async throws {
        try await Pair.with { pair in
            await pair.refuses(
                """
                INSERT INTO notifications (user_id, type, created_at, registration_id, room_id, revision)
                VALUES ({user}, 'room.opened', now(), {first}, {room}, 1)
                """, by: "notifications_one_opened")
            pair.fixture.set(ScheduleFixture.end.adding(.seconds(1)))
            let isClosed = try await pair.fixture.close()
            #expect(isClosed)
            for end in ["session.missed", "session.lapsed"] {
                await pair.refuses(
                    """
                    INSERT INTO notifications (user_id, type, created_at, registration_id)
                    VALUES ({user}, '\(end)', now(), {first})
                    """, by: "notifications_one_end")
            }
            await pair.refuses(
                """
                INSERT INTO notifications (user_id, type, created_at, registration_id, room_id, revision)
                VALUES ({user}, 'session.completed', now(), {first}, {room}, 1)
                """, by: "notifications_one_end")
        }
    }

    @Test("news of a room without the room, and of a kind that is not known")
    func details() async throws {
        try await Pair.with { pair in
            await pair.refuses(
                """
                INSERT INTO notifications (user_id, type, created_at, registration_id)
                VALUES ({user}, 'room.changed', now(), {first})
                """, by: "notifications_check1", .checkViolation)
            await pair.refuses(
                """
                INSERT INTO notifications (user_id, type, created_at, registration_id, room_id, revision)
                VALUES ({user}, 'room.guessed', now(), {first}, {room}, 1)
                """, by: "notifications_type_check", .checkViolation)
            for type in ["slot.partnered", "slot.alone"] {
                try await pair.fixture.pool.query(
                    """
                    INSERT INTO notifications (user_id, type, created_at, registration_id)
                    SELECT user_id, '\(type)', now(), id FROM registrations WHERE id = $1::text::uuid
                    """, [pair.first])
            }
        }
    }

    @Test("people of a slot who are alone and not there, too many of them, and those of no slot")
    func partners() async throws {
        try await Pair.with { pair in
            let partners = "INSERT INTO slot_partners (starts_at, known, alone) SELECT starts_at,"
            let slot = "FROM registrations WHERE id = {first}"
            await pair.refuses(
                "\(partners) ARRAY[id], ARRAY[gen_random_uuid()] \(slot)",
                by: "slot_partners_alone_of_known", .checkViolation)
            await pair.refuses(
                "\(partners) ARRAY(SELECT gen_random_uuid() FROM generate_series(1, 9)), '{}' \(slot)",
                by: "slot_partners_known_check", .checkViolation)
            await pair.refuses(
                "\(partners) '{}', '{}' \(slot)", by: "slot_partners_known_check", .checkViolation)
            await pair.refuses(
                "INSERT INTO slot_partners (starts_at, alone) VALUES ('2031-01-01T00:00Z', '{}')",
                by: "slot_partners_starts_at_fkey", .foreignKeyViolation)
        }
    }

    @Test("a room without a slot, a slot that ends before it starts, and a leaving before the joining")
    func impossible() async throws {
        try await Pair.with { pair in
            await pair.refuses(
                """
                INSERT INTO rooms (id, starts_at, opened_at)
                VALUES (gen_random_uuid(), '2031-01-01T00:00:00Z', now())
                """, by: "rooms_starts_at_fkey", .foreignKeyViolation)
            await pair.refuses(
                "INSERT INTO slots (starts_at, ends_at) VALUES ('2031-01-01T00:00Z', '2031-01-01T00:00Z')",
                by: "slots_check", .checkViolation)
            await pair.refuses(
                "UPDATE members SET left_revision = joined_revision WHERE registration_id = {first}",
                by: "members_check", .checkViolation)
            await pair.refuses(
                """
                INSERT INTO notifications (user_id, type, created_at, registration_id, room_id, revision)
                VALUES (gen_random_uuid(), 'room.changed', now(), {first}, {room}, 1)
                """, by: "notifications_user_id_fkey", .foreignKeyViolation)
        }
    }

    @Test("a block or a mark against oneself, and two that count against the same person")
    func preferences() async throws {
        try await Pair.with { pair in
            for table in ["blocks", "favourites"] {
                await pair.refuses(
                    """
                    INSERT INTO \(table) (user_id, other_id, registration_id, created_at)
                    VALUES ({user}, {user}, {first}, now())
                    """, by: "\(table)_somebody_else", .checkViolation)
                let mark = """
                    INSERT INTO \(table) (user_id, other_id, registration_id, created_at)
                    VALUES ($1::text::uuid, $2::text::uuid, $3::text::uuid, now())
                    """
                let pool = pair.fixture.pool
                try await pool.query(mark, [pair.user, pair.otherUser, pair.second])
                await pair.refuses(
                    """
                    INSERT INTO \(table) (user_id, other_id, registration_id, created_at)
                    VALUES ({user}, {other}, {second}, now())
                    """, by: "\(table)_one_live")
                // A removed entry may be made again, and the other person's entry is independent.
                try await pool.query("UPDATE \(table) SET removed_at = created_at")
                try await pool.query(mark, [pair.user, pair.otherUser, pair.second])
                try await pool.query(mark, [pair.otherUser, pair.user, pair.first])
            }
        }
    }

    @Test("a note on no outcome, an unknown outcome, and words without an author")
    func words() async throws {
        try await Pair.with { pair in
            await pair.refuses(
                """
                INSERT INTO session_words (registration_id, user_id, note, updated_at)
                VALUES ({first}, {user}, 'Ill', now())
                """, by: "session_words_note_of_outcome", .checkViolation)
            await pair.refuses(
                """
                INSERT INTO session_words (registration_id, user_id, outcome, updated_at)
                VALUES ({first}, {user}, 'mostly', now())
                """, by: "session_words_outcome_check", .checkViolation)
            await pair.refuses(
                """
                INSERT INTO session_words (registration_id, user_id, updated_at)
                VALUES ({first}, {first}, now())
                """, by: "session_words_user_id_fkey", .foreignKeyViolation)
        }
    }

    @Test(
        "sessions of one user that overlap; those that were cancelled, or deleted, leave their time"
    )
    func spans() async throws {
        try await Pair.with { pair in
            let pool = pair.fixture.pool
            try await pool.withConnection { try await RegistrationSpans.prepare(on: $0) }
            try await pool.query(
                """
                INSERT INTO registration_spans
                SELECT id, user_id, tstzrange(starts_at, starts_at + interval '50 minutes') FROM registrations
                """)
            let other = """
                INSERT INTO registration_spans VALUES (gen_random_uuid(), {user},
                    tstzrange({slot}::timestamptz + interval '49 minutes', 'infinity'))
                """
            await pair.refuses(other, by: "registration_spans_apart", .exclusionViolation)
            await pair.refuses(
                "UPDATE registration_spans SET span = 'empty'", by: "registration_spans_long",
                .checkViolation)
            try await pool.query(
                "UPDATE registrations SET cancelled_at = now() WHERE id = $1::uuid", [pair.first])
            try await pool.query(
                "UPDATE registrations SET user_id = NULL, task = NULL WHERE id = $1::uuid", [pair.second])
            #expect(try await pool.query("SELECT FROM registration_spans").isEmpty)
        }
    }

    @Test("a lease without an end, and a match below its bound")
    func match() async throws {
        try await Pair.with { pair in
            await pair.refuses(
                "UPDATE slots SET leased_by = 'somebody', leased_until = NULL", by: "slots_check1",
                .checkViolation)
            await pair.refuses(
                "UPDATE slots SET match_cost = 1, match_bound = 2", by: "slots_check2", .checkViolation)
        }
    }

    /// Without an index, each deleted row would cost a scan of the table that refers to it.
    @Test("nothing: but a row that is deleted is looked for by an index wherever it may be referred to")
    func foreignKeys() async throws {
        try await TestDatabase.withConnection { connection in
            _ = try await Migrations.migrator().apply(on: connection)
            let rows = try await connection.query(
                """
                SELECT conname FROM pg_constraint
                WHERE contype = 'f' AND NOT EXISTS (
                    SELECT FROM pg_index
                    WHERE indrelid = conrelid AND indpred IS NULL
                        AND (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey)
                ORDER BY conname
                """)
            let unindexed = try rows.map { try $0.decode(0, String.self) }
            #expect(unindexed == [])
        }
    }
}
