import Contract
import Postgres
import Testing

@testable import API
@testable import BackendTesting
@testable import Database

@Suite("An account that is deleted, before and while its rows are removed")
struct DeletedAccountTests {
    /// Makes an account whose past session with the other one counts, and deletes it.
    private static func deleted(in world: RESTWorld) async throws -> FilledAccount {
        let account = try await FilledAccount.make(in: world)
        for statement in [
            "UPDATE registrations SET cancelled_at = NULL WHERE id = $1",
            "UPDATE members SET left_revision = NULL WHERE registration_id = $1",
            """
            UPDATE slots SET closed_at = ends_at, closing_at = ends_at
            WHERE starts_at = (SELECT starts_at FROM registrations WHERE id = $1)
            """,
        ] { try await world.pool.query(statement, [account.registration]) }
        try await world.delete("/v1/me", account.token, expecting: 204)
        return account
    }

    /// Returns what the other account reads of people, with the path of each.
    private static func answers(to account: FilledAccount, _ world: RESTWorld) async throws -> [String] {
        var answers: [String] = []
        for path in [
            Routes.rooms, Routes.room(account.room), Routes.explanation(ofRoom: account.room),
            Routes.registrations, "\(Routes.registrations)/\(account.otherRegistration)",
            Routes.notifications, Routes.blocks, Routes.favourites, Routes.stats,
        ] {
            let answer = try await world.send("GET", path, token: account.otherToken)
            #expect(answer.status == 200, "\(path)")
            answers.append("\(path) \(answer.text)")
        }
        let met = try await world.send(
            "POST", Routes.favourites, token: account.otherToken,
            body: #"{"registrationId":"\#(account.registration)"}"#)
        answers.append("a favourite: \(met.status) \(met.problem ?? "")")
        return answers
    }

    /// Returns what operators read of the account.
    private static func desk(about account: FilledAccount, _ pool: PostgresPool) async throws -> [String] {
        let pages = [
            try await DeskPeople.page(.id(account.id), after: nil, limit: 9, in: pool),
            try await DeskPeople.page(.newest, after: nil, limit: 9, in: pool),
            try await DeskPeople.page(.name("former"), after: nil, limit: 9, in: pool),
            try await DeskPeople.page(.suspended, after: nil, limit: 9, in: pool),
            try await DeskRows.page(
                DeskPeople.registrations, [account.id, nil as Timestamp?, nil as Identifier?], limit: 9,
                in: pool),
            try await DeskRows.page(DeskReports.list, [Int64.max, nil as String?], limit: 9, in: pool),
            try await DeskDeliveries.page(nil, channel: nil, host: nil, before: .max, limit: 9, in: pool),
            try await DeskRows.page(
                DeskDeliveries.endpoints, [nil as Identifier?, nil as Bool?], limit: 9, in: pool),
            try await DeskRows.page(DeskDeliveries.hosts, [], limit: 9, in: pool),
            try await DeskRows.page(Announcements.list, [Int64.max], limit: 9, in: pool),
            try await DeskRows.page(
                AuditReader.list,
                [
                    Int64.max, nil as String?, nil as String?, nil as String?, nil as Timestamp?,
                    nil as Timestamp?,
                ], limit: 9, in: pool),
        ]
        let one = [
            try await DeskRows.one(DeskPeople.one, [account.id], in: pool),
            try await DeskPeople.name(of: account.id, in: pool),
            try await DeskRows.one(DeskSlots.room, [account.room], in: pool),
            // The desk can reveal the tasks of a room and the name of a person.
            try await pool.transaction { try await DeskSlots.reveal(account.room, on: $0) },
            try await pool.transaction { try await DeskPeople.lock(account.id, on: $0) },
        ]
        return pages.map { $0.rows.joined(separator: "\n") } + one.map { $0 ?? "none" }
    }

    @Test("is a former user without task and tag in every answer, and the removal of its rows changes none")
    func hidden() async throws {
        try await RESTWorld.with { world in
            let account = try await Self.deleted(in: world)
            let answers = try await Self.answers(to: account, world)
            let desk = try await Self.desk(about: account, world.pool)
            for text in answers + desk {
                for word in FilledAccount.words + [account.id.description] {
                    #expect(!text.contains(word), "\(word) in \(text)")
                }
            }
            #expect(answers[1].contains("former user"))
            try await world.eraseDeletedAccounts()
            #expect(try await Self.answers(to: account, world) == answers)
            #expect(try await Self.desk(about: account, world.pool) == desk)
        }
    }

    @Test("has no way in, and no address to which anything is sent")
    func ended() async throws {
        try await RESTWorld.with { world in
            let account = try await Self.deleted(in: world)
            for table in ["tokens", "recovery_codes", "sign_in_codes", "calendars"] {
                let left = try await world.pool.query("SELECT FROM \(table) WHERE user_id = $1", [account.id])
                #expect(left.isEmpty, "\(table)")
            }
            let endpoints = try await world.pool.query(
                "SELECT FROM endpoints WHERE user_id = $1 AND (address <> id::text OR disabled_at IS NULL)",
                [account.id])
            #expect(endpoints.isEmpty)
            #expect(try await world.send("GET", Routes.me, token: account.token).status == 401)
            let report = try await world.pool.transaction { connection in
                try await PromiseReport.make(inTransactionOf: connection)
            }
            #expect(!report.broken.contains { $0.name == "deleted-accounts" })
        }
    }

    @Test("leaves its rows to batches: servers share them, and one goes on where another stopped")
    func batches() async throws {
        try await FilledAccount.with { world, account in
            try await world.pool.query(
                """
                INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at, cancelled_at)
                SELECT gen_random_uuid(), $1, starts_at, 'Anna-many', now(), now(), now()
                FROM registrations, generate_series(1, 3000) WHERE id = $2
                """, [account.id, account.registration])
            try await world.delete("/v1/me", account.token, expecting: 204)
            let left = "SELECT count(*) FROM registrations WHERE task = 'Anna-many'"
            #expect(try await world.pool.query(left)[0].decode(0, Int64.self) == 3000)
            func server() -> AccountErasure {
                AccountErasure(pool: world.pool, now: world.application.now, size: 200)
            }
            // A server that begins the work, and stops.
            for _ in 0..<3 { _ = try await server().step(after: nil) }
            async let one: Void = AccountErasureWorker(server()).removeAll()
            async let other: Void = AccountErasureWorker(server()).removeAll()
            _ = try await (one, other)
            try await AccountErasureWorker(server()).removeAll()
            #expect(try await world.pool.query("SELECT FROM users WHERE id = $1", [account.id]).isEmpty)
            #expect(try await world.pool.query(left)[0].decode(0, Int64.self) == 0)
            // The one registration that the other account met in a room stays.
            #expect(try await world.count("registrations") == 2)
        }
    }

    @Test("waits for no transaction that holds one of its rows, and is removed once that ends")
    func held() async throws {
        try await RESTWorld.with { world in
            let account = try await Self.deleted(in: world)
            let erasure = AccountErasure(pool: world.pool, now: world.application.now)
            try await world.pool.transaction { connection in
                let held = try await connection.query(
                    """
                    SELECT deliveries.id FROM deliveries JOIN endpoints ON endpoints.id = endpoint_id
                    WHERE user_id = $1 LIMIT 1 FOR UPDATE OF deliveries
                    """, [account.id])
                #expect(held.count == 1)
                var last = try await erasure.step(after: nil)
                while case .removed = last { last = try await erasure.step(after: nil) }
                #expect(last == .waits(account.id))
            }
            var last = try await erasure.step(after: nil)
            while case .removed = last { last = try await erasure.step(after: nil) }
            #expect(last == .finished(account.id))
            #expect(try await erasure.step(after: nil) == nil)
        }
    }
}
