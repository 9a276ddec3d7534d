import Contract
import HTTPServer
import Postgres
import Reactor
import TestKit
import Testing

@testable import API
@testable import BackendTesting
@testable import Database

@Suite("The export of an account")
struct RESTExportTests {
    @Test("has every value that the list shows, and nothing that it leaves out")
    func whole() async throws {
        try await FilledAccount.with { world, account in
            let answer = try await world.send("GET", "/v1/me/export", token: account.token)
            #expect(answer.status == 200 && answer.isWhole)
            #expect(answer.headers["content-type"] == "application/json")
            #expect(answer.headers["cache-control"] == "no-store")
            #expect(
                answer.headers["content-disposition"]
                    == "attachment; filename=\"letsswitch-export.json\"")
            let document = try answer.json()
            #expect(document["exportedAt"]?.string == world.clock.now.description)
            for table in AccountData.tables {
                let rows = try await Self.rows(table, account.id, world.pool)
                #expect(!rows.isEmpty, "\(table.name) has no row to look at")
                let isSeen = table.shown.map { shown in rows.contains { $0[shown.member] != nil } }
                #expect(isSeen.allSatisfy { $0 }, "\(table.name) has a column without a value: \(isSeen)")
                let shown =
                    table.key.isEmpty
                    ? [document[table.member]].compactMap(\.self)
                    : document[table.member]?.array ?? []
                #expect(shown.count == (table.isExported ? rows.count : 0), "\(table.name)")
                for row in rows where table.isExported {
                    let isThere = shown.contains { value in
                        guard case .object(let members) = value else { return false }
                        return Dictionary(members.map { ($0.name, Self.text($0.value)) }) { one, _ in one }
                            == row
                    }
                    #expect(isThere, "\(table.name): \(row)")
                }
            }
        }
    }

    /// Returns the shown values of the account's rows that are not NULL, as texts.
    private static func rows(
        _ table: AccountTable, _ user: Identifier, _ pool: PostgresPool
    ) async throws -> [[String: String]] {
        let values = table.shown.map { shown in
            let value = shown.kind == .texts ? "array_to_string(\(shown.column), ',')" : shown.column
            let isTime = [.time, .slot, .start].contains(shown.kind)
            return ", \(isTime ? "extract(epoch FROM \(value))::numeric(20, 6)" : value)::text"
        }
        let rows = try await pool.query(
            "SELECT 1\(values.joined()) FROM \(table.name) WHERE \(table.condition)", [user])
        return try rows.map { row in
            var texts: [String: String] = [:]
            for (index, shown) in table.shown.enumerated() {
                texts[shown.member] = try row.decode(index + 1, String?.self)
            }
            return texts
        }
    }

    /// Returns a value of the document as PostgreSQL writes it.
    private static func text(_ value: JSONValue) -> String {
        if let array = value.array { return array.map(text).joined(separator: ",") }
        if case .number(let text) = value { return text }
        if let flag = value.bool { return "\(flag)" }
        let text = value.string ?? ""
        guard text.hasSuffix("Z"), let time = Timestamp(text) else { return text }
        let fraction = String(1_000_000 + time.microseconds % 1_000_000).dropFirst()
        return "\(time.microseconds / 1_000_000).\(fraction)"
    }

    @Test("has the start of a slot that has a length of its own, and the length")
    func lengths() async throws {
        try await FilledAccount.with { world, account in
            let key = SlotKey(startsAt: RESTWorld.noon.adding(.seconds(86_400)), minutes: 50).instant
            try await world.pool.query(
                "INSERT INTO slots (starts_at, ends_at) VALUES ($1, $1 + interval '50 minutes')", [key])
            try await world.pool.query(
                """
                INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at)
                VALUES (gen_random_uuid(), $1, $2, 'Anna-long', now(), now())
                """, [account.id, key])
            let document = try await world.send("GET", "/v1/me/export", token: account.token).json()
            let long = document["registrations"]?.array?.first { $0["task"]?.string == "Anna-long" }
            #expect(long?["startsAt"]?.string == "2027-03-02T12:00:00Z")
            #expect(long?["minutes"] == .number("50"))
        }
    }

    @Test("has nothing of the others, and no secret")
    func others() async throws {
        try await FilledAccount.with { world, account in
            let text = try await world.send("GET", "/v1/me/export", token: account.token).text
            for word in FilledAccount.otherWords + [account.other.description, account.token, "server-one"] {
                #expect(!text.contains(word), "\(word)")
            }
            for word in ["anna-field", "anna-body", "anna-host:443"] { #expect(!text.contains(word)) }
            for word in ["Anna-name", "Anna-task", "anna-tag", "https://anna-host/hook", "anna-report"] {
                #expect(text.contains(word), "\(word)")
            }
        }
    }

    @Test("is valid JSON, in pieces that do not grow with it, for 100,000 notifications")
    func large() async throws {
        try await FilledAccount.with { world, account in
            // Without endpoints there are no deliveries of all these.
            try await world.pool.query("DELETE FROM endpoints WHERE user_id = $1", [account.id])
            try await world.pool.query(
                """
                INSERT INTO notifications (user_id, type, created_at, registration_id, room_id, revision)
                SELECT $1, 'room.changed', now(), $2, $3, 1 FROM generate_series(1, 100000)
                """, [account.id, account.registration, account.room])
            let export = AccountExport(of: try await Self.user(account, world), from: world.pool)
            var (pieces, document): (Int, [UInt8]) = (0, [])
            try await export.write(at: world.clock.now) { piece in
                #expect(piece.count < 32 * 1024)
                pieces += 1
                document += piece
            }
            #expect(pieces > 100)
            let parsed = try JSONValue.parse(document)
            let ids = parsed["notifications"]?.array?.compactMap { value -> Int64? in
                guard case .number(let text)? = value["id"] else { return nil }
                return Int64(text)
            }
            let stored = try await world.pool.query(
                "SELECT id FROM notifications WHERE user_id = $1 ORDER BY id", [account.id])
            #expect(try ids == stored.map { try $0.decode(0, Int64.self) })
            #expect(stored.count > 100_000)
        }
    }

    @Test("has each row of every list once, over many pages")
    func pages() async throws {
        try await FilledAccount.with { world, account in
            let count = 2 * AccountExport.page + 1
            for statement in [
                """
                INSERT INTO slots (starts_at, ends_at)
                SELECT start, start + interval '30 minutes'
                FROM generate_series(1, $2) AS number, make_interval(mins => 30 * number::int) AS step,
                    LATERAL (SELECT timestamptz '2027-04-01' + step AS start) AS slot
                WHERE $1::uuid IS NOT NULL
                """,
                """
                INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at)
                SELECT gen_random_uuid(), $1, starts_at, 'Anna-' || starts_at, now(), now()
                FROM slots WHERE starts_at >= '2027-04-01' LIMIT $2
                """,
                """
                INSERT INTO rooms (id, starts_at, opened_at)
                SELECT registrations.id, starts_at, now() FROM registrations
                WHERE user_id = $1 AND starts_at >= '2027-04-01' LIMIT $2
                """,
                """
                INSERT INTO members (room_id, registration_id)
                SELECT id, id FROM registrations
                WHERE user_id = $1 AND starts_at >= '2027-04-01' LIMIT $2
                """,
                """
                INSERT INTO deliveries (endpoint_id, priority, due_at)
                SELECT id, 0, now() FROM endpoints, generate_series(1, $2) WHERE user_id = $1
                """,
                """
                INSERT INTO past_entries (user_id, seconds, times)
                SELECT $1, 1000 + number, 1 FROM generate_series(1, $2) AS number
                """,
            ] { try await world.pool.query(statement, [account.id, Int64(count)]) }
            let document = try await world.send("GET", "/v1/me/export", token: account.token).json()
            for name in ["registrations", "members", "deliveries", "past_entries"] {
                let table = try #require(AccountData.table(name))
                let stored = try await Self.rows(table, account.id, world.pool).count
                let list = try #require(document[table.member]?.array)
                #expect(stored > count && list.count == stored && Set(list).count == stored, "\(name)")
            }
        }
    }

    private static func user(_ account: FilledAccount, _ world: RESTWorld) async throws -> SignedInUser {
        let token = try #require(APIToken(account.token))
        return try #require(try await SignedInUser.find(token, in: world.pool))
    }

    @Test(
        "is not finished where the token ends meanwhile, or the account does",
        arguments: [
            "UPDATE users SET token_hash = sha256('x'), token_version = token_version + 1 WHERE id = $1",
            "UPDATE tokens SET expires_at = now() WHERE user_id = $1",
        ])
    func signedOut(ending: String) async throws {
        try await FilledAccount.with { world, account in
            try await world.pool.query(
                """
                INSERT INTO notifications (user_id, type, created_at, registration_id, room_id, revision)
                SELECT $1, 'room.changed', now(), $2, $3, 1 FROM generate_series(1, 1000)
                """, [account.id, account.registration, account.room])
            let export = AccountExport(of: try await Self.user(account, world), from: world.pool)
            var document: [UInt8] = []
            await #expect(throws: AccountExport.SignedOut.self) {
                try await export.write(at: world.clock.now) { piece in
                    if document.isEmpty { try await world.pool.query(ending, [account.id]) }
                    document += piece
                }
            }
            #expect(!document.isEmpty && (try? JSONValue.parse(document)) == nil)
        }
    }

    @Test("is one at a time for an account, and the next one may begin when it ends")
    func oneAtATime() async throws {
        try await RESTWorld.with { world in
            let (token, other) = (try await world.signUp(), try await world.signUp())
            let id = try await Self.id(token, world)
            do {
                let lease = try world.application.limits.export(of: id, from: ClientAddress(nil))
                let refused = try await world.send("GET", "/v1/me/export", token: token)
                #expect(refused.status == 429 && refused.problem == "too-many-exports")
                #expect(refused.headers["retry-after"] == "5")
                #expect(try await world.send("GET", "/v1/me/export", token: other).status == 200)
                withExtendedLifetime(lease) {}
            }
            #expect(try await world.send("GET", "/v1/me/export", token: token).status == 200)
            #expect(world.application.limits.counts == [.exports: 1])
        }
    }

    @Test("is refused where the server has as many as it may have")
    func serverLimit() async throws {
        try await RESTWorld.withAccount { world, token in
            var random = SystemRandomNumberGenerator()
            let limits = RequestLimits.exportLimits
            let leases = try (0..<limits.together).map { number in
                let client = IPAddress("203.0.113.\(number / limits.perAddress)")
                return try world.application.limits.export(
                    of: .v4(using: &random), from: ClientAddress(client))
            }
            let refused = try await world.send("GET", "/v1/me/export", token: token)
            #expect(refused.status == 429 && refused.headers["retry-after"] == "10")
            withExtendedLifetime(leases) {}
        }
    }

    @Test("is cut off where its reader is slow and another account waits, which gets its own export")
    func slowReader() async throws {
        let clock = Lock<UInt64>(1)
        let places = SharedPlaces(
            .init(together: 1, perAddress: 1, perAccount: 1, patience: .seconds(5))
        ) { clock.withLock { $0 } }
        try await RESTWorld.with(exports: places) { world in
            let account = try await FilledAccount.make(in: world)
            try await world.pool.query("DELETE FROM endpoints WHERE user_id = $1", [account.id])
            // More than the buffers of a connection take.
            try await world.pool.query(
                """
                INSERT INTO notifications (user_id, type, created_at, registration_id, room_id, revision)
                SELECT $1, 'room.changed', now(), $2, $3, 1 FROM generate_series(1, 100000)
                """, [account.id, account.registration, account.room])
            let request = [
                "GET /v1/me/export HTTP/1.1", "Host: test", "Authorization: Bearer \(account.token)", "", "",
            ].joined(separator: "\r\n")
            let slow = try await RawHTTP.exchangeSlowly(port: world.port, Array(request.utf8)) {
                // It has its place, and then waits for its reader.
                try await eventually { places.count == 1 }
                let refused = try await world.send("GET", "/v1/me/export", token: account.otherToken)
                #expect(refused.status == 429 && refused.problem == "too-many-exports")
                try await eventually {
                    clock.withLock { $0 += 5_000_000_000 }
                    let next = try await world.send("GET", "/v1/me/export", token: account.otherToken)
                    return next.status == 200 && next.isWhole
                }
            }
            #expect(slow.status == 200 && !slow.isWhole)
        }
    }

    private static func id(_ token: String, _ world: RESTWorld) async throws -> Identifier {
        let text = try await world.send("GET", "/v1/me", token: token).json()["user"]?["id"]?.string
        return try #require(text.flatMap { Identifier($0) })
    }

    @Test("is a 401 without a token, and a 413 with a body")
    func refused() async throws {
        try await RESTWorld.with { world in
            #expect(try await world.send("GET", "/v1/me/export").status == 401)
            let token = try await world.signUp()
            #expect(
                try await world.send("GET", "/v1/me/export", token: token, body: #"{"a":1}"#).status == 413)
            #expect(try await world.send("POST", "/v1/me/export", token: token).status == 405)
        }
    }
}
