import Contract
import Postgres
import PostgresTesting
import Reactor
import Testing

@testable import Backend
@testable import BackendTesting
@testable import Database

/// Tests of the checks of `letsswitch-server verify`: each finds the violation that is planted for it.
@Suite("Promises that rows show")
struct StoredPromiseTests {
    /// A slot that two pairs have been through, with a webhook of the first of them. `third` is in the other
    /// room.
    private struct World {
        let fixture: ScheduleFixture
        private let values: [(name: String, value: String)]

        static func with(_ body: (World) async throws -> Void) async throws {
            try await ScheduleFixture.withRegistered(4) { fixture, ids in
                try await fixture.pool.query(
                    """
                    INSERT INTO endpoints (id, user_id, kind, address, host, secret, created_at)
                    SELECT gen_random_uuid(), user_id, 'webhook', 'https://example.org/' || id, 'example.org',
                        sha256('secret'), created_at FROM registrations
                    """)
                try await fixture.matchAtOpening()
                fixture.set(ScheduleFixture.slot)
                try await fixture.enter(ids)
                try await fixture.pool.query("UPDATE slots SET served_at = starts_at")
                fixture.set(ScheduleFixture.end)
                #expect(try await fixture.close())
                let rooms = try await fixture.rooms().sorted { $0.key < $1.key }
                try #require(rooms.count == 2)
                let (one, two) = (rooms[0].value.sorted(), rooms[1].value.sorted())
                func user(_ registration: Identifier) async throws -> String {
                    try await fixture.pool.query(
                        "SELECT user_id::text FROM registrations WHERE id = $1", [registration])[0]
                        .decode(0, String.self)
                }
                try await body(
                    World(
                        fixture: fixture,
                        values: [
                            ("{first}", "\(one[0])"), ("{second}", "\(one[1])"), ("{third}", "\(two[0])"),
                            ("{user}", try await user(one[0])), ("{other}", try await user(one[1])),
                            ("{room}", "\(rooms[0].key)"), ("{elsewhere}", "\(rooms[1].key)"),
                            ("{slot}", "\(ScheduleFixture.slot)"),
                            ("{opening}", "\(ScheduleFixture.opening)"),
                            ("{end}", "\(ScheduleFixture.end)"),
                        ]))
            }
        }

        /// Returns the names of the promises that the statements break, and undoes them.
        func broken(by statements: String) async throws -> [String] {
            var sql = statements
            for (name, value) in values {
                sql = sql.split(separator: name, omittingEmptySubsequences: false)
                    .joined(separator: "'\(value)'")
            }
            var report: PromiseReport?
            do {
                try await fixture.pool.transaction { connection in
                    try await connection.simple(sql)
                    report = try await PromiseReport.make(inTransactionOf: connection)
                    throw Undone()
                }
            } catch is Undone {}
            return report?.broken.map(\.name) ?? []
        }

        private struct Undone: Error {}
    }

    /// For each promise statements that break it.
    private static let plants: [(String, String)] = [
        ("enforced", "DROP INDEX notifications_one_opened"),
        ("enforced", "ALTER TABLE registrations DISABLE TRIGGER registrations_updated_are_counted"),
        ("enforced", "ALTER TABLE blocks DROP CONSTRAINT blocks_somebody_else"),
        ("references", "DELETE FROM rooms WHERE id = {room}"),
        ("references", "UPDATE members SET registration_id = {room} WHERE registration_id = {first}"),
        ("references", "UPDATE notifications SET registration_id = {room} WHERE registration_id = {first}"),
        ("references", "UPDATE notifications SET room_id = {first} WHERE room_id = {room}"),
        (
            "one-registration",
            """
            DROP INDEX registrations_one_live;
            INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at)
            VALUES (gen_random_uuid(), {user}, {slot}, 'again', {opening}, {opening})
            """
        ),
        (
            "routine-days",
            """
            INSERT INTO routines (id, user_id, task, rrule, start_date, local_time, time_zone, created_at,
                updated_at, acts_from, planned_at)
            VALUES ({room}, {other}, 't', 'FREQ=DAILY', '2030-01-01', '09:00', 'UTC', now(), now(),
                '2030-01-01', now());
            INSERT INTO routine_occurrences (routine_id, date, starts_at, registration_id, outcome)
            VALUES ({room}, '2030-01-01', {slot}, {first}, 'registered')
            """
        ),
        (
            "sessions-apart",
            """
            INSERT INTO registration_spans (registration_id, user_id, span) VALUES
                ({first}, {user}, tstzrange({slot}, {end})), ({third}, {user}, tstzrange({opening}, {end}))
            """
        ),
        (
            "slot-length",
            """
            INSERT INTO slots (starts_at, ends_at)
            VALUES ('2030-01-02T09:00:00.00005Z', '2030-01-02T09:25:00Z')
            """
        ),
        ("main-token", "UPDATE tokens SET hash = sha256('another') WHERE user_id = {user}"),
        (
            "main-token",
            """
            DROP INDEX tokens_one_pending;
            INSERT INTO tokens (user_id, number, hash, created_at, pending_until) VALUES
                ({user}, 8, sha256('8'), now(), now()), ({user}, 9, sha256('9'), now(), now())
            """
        ),
        (
            "session-tokens",
            """
            ALTER TABLE tokens DROP CONSTRAINT tokens_made_by;
            INSERT INTO tokens (user_id, number, hash, created_at, made_by)
            VALUES ({user}, -5, sha256('5'), now(), 77)
            """
        ),
        (
            "one-room",
            """
            DROP INDEX members_one_room;
            INSERT INTO members (room_id, registration_id) VALUES ({elsewhere}, {first})
            """
        ),
        (
            "own-slot",
            """
            INSERT INTO slots (starts_at, ends_at) VALUES ({end}, '2030-01-01T10:00:00Z');
            UPDATE rooms SET starts_at = {end} WHERE id = {room}
            """
        ),
        ("has-room", "UPDATE members SET left_revision = 2 WHERE registration_id = {first}"),
        (
            "not-passed-over",
            """
            DELETE FROM members WHERE registration_id = {first};
            DELETE FROM notifications WHERE registration_id = {first};
            INSERT INTO notifications (user_id, type, created_at, registration_id)
            VALUES ({user}, 'session.lapsed', {end}, {first})
            """
        ),
        ("gone-is-gone", "UPDATE registrations SET cancelled_at = created_at WHERE id = {first}"),
        ("opened-once", "DELETE FROM notifications WHERE registration_id = {first} AND type = 'room.opened'"),
        (
            "opened-once",
            """
            DROP INDEX notifications_one_opened;
            INSERT INTO notifications (user_id, type, created_at, registration_id, room_id, revision)
            SELECT user_id, type, created_at, registration_id, room_id, revision FROM notifications
            WHERE registration_id = {first} AND type = 'room.opened'
            """
        ),
        ("ends-once", "DELETE FROM notifications WHERE registration_id = {first} AND type LIKE 'session.%'"),
        ("latest-company", "UPDATE members SET left_revision = 2 WHERE registration_id = {second}"),
        ("completed-by-coming", "UPDATE members SET entered_at = NULL WHERE registration_id = {first}"),
        (
            "ran-is-not-lapsed",
            """
            UPDATE notifications SET type = 'session.lapsed', room_id = NULL, revision = NULL
            WHERE registration_id = {first} AND type = 'session.completed'
            """
        ),
        (
            "company-by-turns",
            """
            INSERT INTO notifications (user_id, type, created_at, registration_id) VALUES
                ({user}, 'slot.partnered', '2030-01-01', {first}),
                ({user}, 'slot.partnered', '2030-01-01', {first})
            """
        ),
        (
            "nothing-after-opening",
            """
            INSERT INTO notifications (user_id, type, created_at, registration_id)
            VALUES ({user}, 'slot.alone', {slot}, {first})
            """
        ),
        ("others", "INSERT INTO slot_count_changes (starts_at, change) VALUES ({slot}, 1)"),
        (
            "one-word",
            """
            DROP INDEX blocks_one_live;
            INSERT INTO blocks (user_id, other_id, registration_id, created_at)
            SELECT {user}, {other}, {second}, {end} FROM generate_series(1, 2)
            """
        ),
        (
            "own-words",
            """
            INSERT INTO session_words (registration_id, user_id, check_in, updated_at)
            VALUES ({first}, {other}, 'hello', {slot})
            """
        ),
        (
            "deleted-accounts",
            """
            UPDATE registrations SET user_id = NULL, task = NULL, tag = NULL, updated_at = {slot}
            WHERE id = {first}
            """
        ),
        (
            "deleted-accounts",
            """
            INSERT INTO registration_spans (registration_id, user_id, span)
            VALUES ({first}, {other}, tstzrange({slot}, {end}))
            """
        ),
        (
            "deleted-accounts",
            """
            DELETE FROM tokens WHERE user_id = {user};
            DELETE FROM endpoints WHERE user_id = {user};
            UPDATE users SET name = 'former user', deleted_at = now() - interval '25 hours' WHERE id = {user}
            """
        ),
        ("deleted-accounts", "UPDATE users SET deleted_at = now() WHERE id = {user}"),
        ("ales", "UPDATE members SET ales_sent = 1 WHERE registration_id = {first}"),
        (
            "not-oneself",
            """
            DROP INDEX registrations_one_live;
            UPDATE registrations SET user_id = {user} WHERE id = {second}
            """
        ),
        (
            "blocks",
            """
            INSERT INTO blocks (user_id, other_id, registration_id, created_at)
            VALUES ({other}, {user}, {first}, timestamptz {opening} - interval '1 minute')
            """
        ),
        (
            "invited-together",
            """
            INSERT INTO invites (hash, registration_id, created_at, used_at)
            VALUES (sha256('1'), {third}, {opening}, {opening});
            INSERT INTO intents (registration_id, invited_by) VALUES ({first}, {third})
            """
        ),
        ("favourites-only", "INSERT INTO intents (registration_id, favourites_only) VALUES ({first}, true)"),
        ("invites-once", "INSERT INTO intents (registration_id, invited_by) VALUES ({first}, {second})"),
        (
            "told-everywhere",
            """
            DELETE FROM deliveries WHERE notification_id IN (
                SELECT id FROM notifications WHERE registration_id = {first} AND type = 'room.opened')
            """
        ),
        (
            "own-endpoint",
            "UPDATE notifications SET user_id = {other} WHERE registration_id = {first}"
        ),
        (
            "delivered-by-attempt",
            """
            UPDATE deliveries SET settled_at = due_at, outcome = 'delivered'
            WHERE id = (SELECT min(id) FROM deliveries)
            """
        ),
        (
            "not-expired-early",
            "UPDATE deliveries SET settled_at = due_at, outcome = 'expired' WHERE expires_at > due_at"
        ),
        (
            "superseded-by-later",
            """
            UPDATE deliveries SET settled_at = due_at, outcome = 'superseded'
            WHERE id = (SELECT max(id) FROM deliveries)
            """
        ),
        (
            "one-owner",
            """
            DROP INDEX endpoints_one_push_owner;
            ALTER TABLE endpoints DISABLE TRIGGER endpoints_take_over;
            INSERT INTO endpoints (id, user_id, kind, address, host, environment, created_at)
            SELECT gen_random_uuid(), id, 'apns', 'device', 'apple', 'production', now() FROM users
            """
        ),
        (
            "past-sums",
            """
            INSERT INTO past_sums (user_id, attended, missed, cancelled, current_streak, longest_streak,
                ales_sent, ales_received, entries, entry_seconds)
            VALUES ({user}, 3, 0, 0, 3, 3, 0, 0, 3, 5)
            """
        ),
        ("not-early", "UPDATE notifications SET created_at = {slot} WHERE type = 'session.completed'"),
        ("not-early", "UPDATE notifications SET created_at = '2029-12-31' WHERE type = 'room.opened'"),
        ("slots-in-order", "UPDATE slots SET closed_at = starts_at, closing_at = starts_at"),
    ]

    @Test("all hold where nothing is wrong, and each check finds what is planted for it")
    func plants() async throws {
        try await World.with { world in
            #expect(try await world.broken(by: "SELECT 1") == [])
            for (name, statements) in Self.plants {
                let broken = try await world.broken(by: statements)
                #expect(broken.contains(name), "\(name) in \(broken): \(statements)")
            }
            // Each plant was rolled back.
            #expect(try await world.broken(by: "SELECT 1") == [])
        }
        let planted = Set(Self.plants.map(\.0))
        #expect(StoredPromise.all.filter { !planted.contains($0.name) }.map(\.name) == [])
        #expect(Set(StoredPromise.all.map(\.name)).count == StoredPromise.all.count)
    }

    @Test("psql runs the file of the promises and prints the same promises and violations")
    func psql() async throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        try await TestDatabase.with(copyOf: .migrated) { database in
            func expectSame(_ broken: [String]) async throws {
                let report = try await database.withConnection { try await PromiseReport.make(on: $0) }
                #expect(report.broken.map(\.name) == broken)
                let psql = try await ChildProcess.run(
                    .init(
                        "psql",
                        ["-XqAt1", "-f", "\(root)/Sources/Database/Verification/verify.sql", database.url]))
                let expected = report.lines.flatMap { ["\($0.name): \($0.text)"] + $0.examples }
                #expect(psql.output().split(separator: "\n").map(String.init) == expected)
                #expect(psql.output(.standardError) == "")
            }
            try await expectSame([])
            try await database.withConnection { connection in
                try await connection.simple(
                    """
                    DROP INDEX notifications_one_opened;
                    ALTER TABLE registrations DISABLE TRIGGER registrations_updated_are_counted;
                    INSERT INTO slots (starts_at, ends_at)
                    VALUES ('2030-01-02T09:00:00.00005Z', '2030-01-02T09:25:00Z');
                    INSERT INTO slot_count_changes (starts_at, change)
                    VALUES ('2030-01-02T09:00:00.00005Z', 1)
                    """)
            }
            try await expectSame(["enforced", "slot-length", "others"])
        }
    }

    @Test("a report counts all, and shows a few")
    func examples() async throws {
        try await ScheduleFixture.with { fixture in
            let promise = StoredPromise(
                "seven: Nothing is there.'\nSELECT n::text FROM generate_series(1, 7) AS n;")
            let report = try await fixture.pool.withConnection { connection in
                try await PromiseReport.make(of: [promise], on: connection)
            }
            #expect(report.broken.map(\.count) == [7])
            #expect(report.broken.first?.examples == ["1", "2", "3", "4", "5"])
            let lines = report.lines.flatMap(VerifyCommand.lines)
            #expect(
                lines == ["BROKEN  seven: Nothing is there.", "        7 times: 1, 2, 3, 4, 5, …"])
        }
    }
}
