import Contract
import Crypto
import Postgres
import Reactor
import Testing

@testable import API
@testable import BackendTesting
@testable import Console
@testable import Database

@Suite("The audit log")
struct AuditLogTests {
    /// Writes entries about a person, with words before and after.
    private static func fill(_ desk: DeskWorld, _ count: Int, about person: Identifier? = nil) async throws {
        for number in 1...count {
            let entry = AuditEntry(
                by: "anna", action: "person.rename", subject: "person:\(number)",
                before: ["name": .string("Old \(number)")], after: ["name": .string("New \(number)")],
                person: person, requestID: "request-\(number)")
            try await desk.world.pool.transaction {
                try await desk.desk.audit.write(entry, at: desk.world.clock.now, on: $0)
            }
        }
    }

    @Test("is whole after any number of entries, and shows them")
    func whole() async throws {
        try await DeskWorld.with { desk in
            #expect(try await desk.verification().fault == nil)
            try await Self.fill(desk, 5)
            let found = try await desk.verification()
            #expect(found.fault == nil && found.entries == 6 && found.erased == 0)
            let token = try await desk.token(.admin)
            let list = try await desk.send("GET", "/audit?limit=2", token: token).json()
            #expect(list["entries"]?.array?.count == 2)
            #expect(list["entries"]?.array?.first?["before"]?["name"]?.string == "Old 5")
            let next = try #require(list["nextCursor"]?.string)
            let rest = try await desk.send("GET", "/audit?limit=4&cursor=\(next)", token: token).json()
            #expect(rest["entries"]?.array?.count == 4 && rest["nextCursor"] == nil)
            let one = try await desk.send("GET", "/audit?subject=person:3", token: token).json()
            #expect(one["entries"]?.array?.count == 1)
            let export = try await desk.send("GET", "/audit/export?after=3", token: token)
            #expect(export.text.split(separator: "\n").count == 3)
            let seen = try await desk.send("GET", "/audit/verification", token: token).json()
            #expect(seen["isWhole"]?.bool == true && seen["entries"]?.int == 6)
        }
    }

    @Test("can only be added to")
    func appended() async throws {
        try await DeskWorld.with { desk in
            try await Self.fill(desk, 2)
            for statement in [
                "UPDATE audit SET operator = 'eve' WHERE id = 1", "DELETE FROM audit WHERE id = 2",
                "TRUNCATE audit CASCADE",
            ] {
                await #expect(throws: PostgresError.self) { try await desk.world.pool.query(statement) }
            }
            #expect(try await desk.verification().fault == nil)
        }
    }

    @Test(
        "shows a change of any column, even by who may take the trigger away",
        arguments: [
            "UPDATE audit SET at = at + interval '1 microsecond' WHERE id = 2",
            "UPDATE audit SET operator = 'eve' WHERE id = 2",
            "UPDATE audit SET action = 'person.delete' WHERE id = 2",
            "UPDATE audit SET subject = 'person:9' WHERE id = 2",
            "UPDATE audit SET before = sha256('x') WHERE id = 2",
            "UPDATE audit SET before = NULL WHERE id = 2",
            "UPDATE audit SET after = sha256('x') WHERE id = 2",
            "UPDATE audit SET request_id = 'x' WHERE id = 2",
            "UPDATE audit SET hash = sha256('x') WHERE id = 2",
            "UPDATE audit SET operator = 'an', action = 'naperson.rename' WHERE id = 2",
            "UPDATE audit SET id = 9 WHERE id = 5",
            "DELETE FROM audit WHERE id = 1", "DELETE FROM audit WHERE id = 2",
            "DELETE FROM audit WHERE id = 5", "DELETE FROM audit",
            "UPDATE audit_words SET before = '{}' WHERE audit_id = 2",
            "UPDATE audit_words SET after = NULL WHERE audit_id = 2",
            "UPDATE audit_words SET salt = sha256('x') WHERE audit_id = 2",
            "UPDATE audit_marks SET last_id = 3 WHERE name = 'head'",
            "UPDATE audit_marks SET hash = sha256('x') WHERE name = 'head'",
            "UPDATE audit_marks SET signature = sha256('x') WHERE name = 'start'",
            "DELETE FROM audit_marks WHERE name = 'head'",
            """
            WITH last AS (SELECT hash FROM audit WHERE id = 4), gone AS (DELETE FROM audit WHERE id = 5)
            UPDATE audit_marks SET last_id = 4, hash = last.hash FROM last WHERE name = 'head'
            """,
        ])
    func tampering(statement: String) async throws {
        try await DeskWorld.with { desk in
            try await Self.fill(desk, 4)
            try await desk.world.pool.query("ALTER TABLE audit DISABLE TRIGGER audit_is_only_added_to")
            try await desk.world.pool.query(
                "ALTER TABLE audit_words DROP CONSTRAINT audit_words_audit_id_fkey")
            #expect(try await desk.verification().fault == nil)
            try await desk.world.pool.query(statement)
            #expect(try await desk.verification().fault != nil)
        }
    }

    @Test("shows whose words were put in the place of others'")
    func persons() async throws {
        try await DeskWorld.with { desk in
            let (_, ann) = try await desk.person("Ann")
            let (_, bea) = try await desk.person("Bea")
            try await Self.fill(desk, 2, about: ann)
            try await desk.world.pool.query("UPDATE audit_words SET person = $1 WHERE audit_id = 2", [bea])
            #expect(try await desk.verification().fault != nil)
        }
    }

    @Test("is whole after words have gone with an account, by their age, and after the beginning was cut off")
    func erasing() async throws {
        try await DeskWorld.with { desk in
            let (token, ann) = try await desk.person("Ann")
            try await Self.fill(desk, 2, about: ann)
            try await desk.world.delete("/v1/me", token, expecting: 204)
            try await desk.world.eraseDeletedAccounts()
            var found = try await desk.verification()
            #expect(found.fault == nil && found.erased == 2)

            desk.world.clock.now = desk.world.clock.now.adding(.seconds(10))
            let middle = desk.world.clock.now
            try await Self.fill(desk, 3)
            try await OldDeskRows.remove(
                auditDays: 1, reportDays: 0, announcementDays: 0, at: middle.adding(.seconds(86_400)),
                in: desk.world.pool)
            #expect(try await desk.verification().erased == 2)
            try await OldDeskRows.remove(
                auditDays: 1, reportDays: 0, announcementDays: 0, at: middle.adding(.seconds(86_401)),
                in: desk.world.pool)
            found = try await desk.verification()
            #expect(found.fault == nil && found.entries == 6 && found.erased == 5)

            let count = try await desk.desk.audit.cut(
                before: middle, by: "anna", at: desk.world.clock.now, in: desk.world.pool)
            #expect(count == 3)
            found = try await desk.verification()
            // Three are left, and the entry of the cut.
            #expect(found.fault == nil && found.entries == 4)
            try await Self.fill(desk, 1)
            #expect(try await desk.verification().fault == nil)
            // A beginning that was moved without the key is not signed.
            try await desk.world.pool.query("UPDATE audit_marks SET last_id = 1 WHERE name = 'start'")
            #expect(try await desk.verification().fault != nil)
            // A cut would sign a beginning that an attacker has chosen.
            await #expect(throws: AuditLog.Broken.self) {
                try await desk.desk.audit.cut(
                    before: desk.world.clock.now, by: "anna", at: desk.world.clock.now, in: desk.world.pool)
            }
            #expect(try await desk.verification().fault != nil)
        }
    }

    @Test("takes entries of acts side by side one after the other, and none of an act that is undone")
    func together() async throws {
        try await DeskWorld.with { desk in
            struct Undone: Error {}
            try? await desk.world.pool.transaction { connection in
                let entry = AuditEntry(by: "anna", action: "a", subject: "s", requestID: "r")
                try await desk.desk.audit.write(entry, at: desk.world.clock.now, on: connection)
                throw Undone()
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try await Self.fill(desk, 5) } }
                try await group.waitForAll()
            }
            let found = try await desk.verification()
            #expect(found.fault == nil && found.entries == 21)
        }
    }

    /// Removes the chain, as a person without its key can who writes to the database.
    private static func wipe(_ pool: PostgresPool) async throws {
        for statement in [
            "ALTER TABLE audit DISABLE TRIGGER audit_is_only_added_to", "DELETE FROM audit_words",
            "DELETE FROM audit", "DELETE FROM audit_marks",
        ] { try await pool.query(statement) }
    }

    @Test("is not whole once it was wiped, and does not begin a second time")
    func wiped() async throws {
        try await DeskWorld.with { desk in
            let pool = desk.world.pool
            try await Self.fill(desk, 2)
            let token = try await desk.token(.admin)
            let (_, person) = try await desk.person("Ann")
            try await Self.wipe(pool)
            let fault = "Operators exist, but the audit log is empty: it was removed."
            #expect(try await desk.verification().fault == fault)
            #expect(try await desk.desk.audit.head(in: pool) == .missing)
            // No act is done without its entry.
            try await desk.send("POST", "/people/\(person)/end-tokens", token: token, expecting: 500)
            #expect(try await desk.signIn("admin").status == 500)
            let hash = try PasswordHash(of: DeskWorld.password, parameters: DeskWorld.cheap)
            await #expect(throws: AuditLog.Missing.self) {
                try await pool.transaction { connection in
                    _ = try await OperatorAccounts.add("eve", .admin, hash, nil, on: connection)
                    let entry = AuditEntry(
                        by: "eve", action: AuditLog.firstAction, subject: "operator:eve", requestID: "r")
                    try await desk.desk.audit.write(entry, at: desk.world.clock.now, on: connection)
                }
            }
            #expect(try await desk.verification().fault == fault)
        }
    }

    @Test("is not whole where it begins with anything but the first operator")
    func begunAgain() async throws {
        try await DeskWorld.with { desk in
            let pool = desk.world.pool
            try await Self.wipe(pool)
            try await pool.query("DELETE FROM operators WHERE name <> 'admin'")
            let entry = AuditEntry(
                by: "admin", action: AuditLog.firstAction, subject: "operator:admin", requestID: "r")
            try await pool.transaction {
                try await desk.desk.audit.write(entry, at: desk.world.clock.now, on: $0)
            }
            #expect(try await desk.verification().fault == nil)
            // An earlier version began a chain with any act.
            try await pool.query("UPDATE operators SET name = 'root' WHERE name = 'admin'")
            #expect(try await desk.verification().fault?.contains("begun again") == true)
        }
    }

    @Test("contains every head that it had, up to the last cut, and no other")
    func keptHeads() async throws {
        try await DeskWorld.with { desk in
            let (audit, pool) = (desk.desk.audit, desk.world.pool)
            func fault(_ head: [UInt8]) async throws -> String? {
                try await audit.verify(keptHead: head, in: pool).fault
            }
            try await Self.fill(desk, 2)
            let first = try await desk.verification().head
            desk.world.clock.now = desk.world.clock.now.adding(.seconds(10))
            try await Self.fill(desk, 2)
            let second = try await desk.verification()
            #expect(try await audit.head(in: pool) == .at(last: 5, hash: second.head))
            for kept in [first, second.head] { #expect(try await fault(kept) == nil) }
            for strange in [AuditLog.noHash, [UInt8](repeating: 1, count: 32)] {
                #expect(try await fault(strange)?.contains("does not contain the given head") == true)
            }
            // The digest of the last entry that was cut off is where the chain begins.
            let now = desk.world.clock.now
            #expect(try await audit.cut(before: now, by: "anna", at: now, in: pool) == 3)
            for kept in [first, second.head] { #expect(try await fault(kept) == nil) }
            // A chain with the right key that was made again has none of them.
            try await Self.wipe(pool)
            try await pool.query("DELETE FROM operators WHERE name <> 'viewer'")
            let entry = AuditEntry(
                by: "test", action: AuditLog.firstAction, subject: "operator:viewer", requestID: "r")
            try await pool.transaction { try await audit.write(entry, at: now, on: $0) }
            #expect(try await desk.verification().fault == nil)
            #expect(try await fault(second.head) != nil)
            #expect(try await AuditLog(key: [1]).head(in: pool) == .unsigned)
        }
    }

    @Test("has its head in the server's log at the start and daily, and a minute after a failure")
    func logged() async throws {
        try await DeskWorld.with { desk in
            let pauses = Lock<[Duration]>([])
            let pool = desk.world.pool
            let heads = AuditHeadLog(desk.desk.audit, pool: pool) { pause in
                let count = pauses.withLock { all in
                    all.append(pause)
                    return all.count
                }
                if count == 2 { try await pool.query("ALTER TABLE audit_marks RENAME TO hidden") }
                if count == 3 { throw CancellationError() }
            }
            await heads.run()
            #expect(pauses.withLock { $0 } == [.seconds(86_400), .seconds(86_400), .seconds(60)])
        }
    }
}
