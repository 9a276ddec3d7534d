import Contract
import Postgres
import Testing

@testable import API
@testable import Console
@testable import Database

@Suite("The audit log")
struct AuditLogTests {
    /// Writes entries about a person, with words before and after.
    private static func fill(_ desk: DeskWorld, _ count: Int, about person: Identifier? = nil) async throws {
        for number in 1...count {
            let entry = AuditEntry(
                by: "anna", action: "person.rename", subject: "person:\(number)",
                before: "{\"name\":\"Old \(number)\"}", after: "{\"name\":\"New \(number)\"}", person: person,
                requestID: "request-\(number)")
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
            #expect(found.fault == nil && found.entries == 5 && found.erased == 0)
            let token = try await desk.token(.admin)
            let list = try await desk.send("GET", "/audit?limit=2", token: token).json()
            #expect(list["entries"]?.array?.count == 2)
            #expect(list["entries"]?.array?.first?["before"]?["name"]?.string == "Old 5")
            let next = try #require(list["nextCursor"]?.string)
            let rest = try await desk.send("GET", "/audit?limit=3&cursor=\(next)", token: token).json()
            #expect(rest["entries"]?.array?.count == 3 && rest["nextCursor"] == nil)
            let one = try await desk.send("GET", "/audit?subject=person:3", token: token).json()
            #expect(one["entries"]?.array?.count == 1)
            let export = try await desk.send("GET", "/audit/export?after=2", token: token)
            #expect(export.text.split(separator: "\n").count == 3)
            let seen = try await desk.send("GET", "/audit/verification", token: token).json()
            #expect(seen["isWhole"]?.bool == true && seen["entries"]?.int == 5)
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
            "UPDATE audit SET id = 9 WHERE id = 4",
            "DELETE FROM audit WHERE id = 1", "DELETE FROM audit WHERE id = 2",
            "DELETE FROM audit WHERE id = 4", "DELETE FROM audit",
            "UPDATE audit_words SET before = '{}' WHERE audit_id = 2",
            "UPDATE audit_words SET after = NULL WHERE audit_id = 2",
            "UPDATE audit_words SET salt = sha256('x') WHERE audit_id = 2",
            "UPDATE audit_marks SET last_id = 3 WHERE name = 'head'",
            "UPDATE audit_marks SET hash = sha256('x') WHERE name = 'head'",
            "UPDATE audit_marks SET signature = sha256('x') WHERE name = 'start'",
            "DELETE FROM audit_marks WHERE name = 'head'",
            """
            WITH last AS (SELECT hash FROM audit WHERE id = 3), gone AS (DELETE FROM audit WHERE id = 4)
            UPDATE audit_marks SET last_id = 3, hash = last.hash FROM last WHERE name = 'head'
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
            let status = try await desk.world.servingLeaving { port in
                try await desk.world.delete("/v1/me", token, port)
            }
            #expect(status == 204)
            var found = try await desk.verification()
            #expect(found.fault == nil && found.erased == 2)

            desk.world.clock.now = desk.world.clock.now.adding(.seconds(10))
            let middle = desk.world.clock.now
            try await Self.fill(desk, 3)
            let retention = DeskRetention(
                auditDays: 1, reportDays: 0, announcementDays: 0, pool: desk.world.pool,
                now: { middle.adding(.seconds(86_400)) })
            try await retention.erase()
            #expect(try await desk.verification().erased == 2)
            let later = DeskRetention(
                auditDays: 1, reportDays: 0, announcementDays: 0, pool: desk.world.pool,
                now: { middle.adding(.seconds(86_401)) })
            try await later.erase()
            found = try await desk.verification()
            #expect(found.fault == nil && found.entries == 5 && found.erased == 5)

            let count = try await desk.desk.audit.cut(
                before: middle, by: "anna", at: desk.world.clock.now, in: desk.world.pool)
            #expect(count == 2)
            found = try await desk.verification()
            // Three are left, and the entry of the cut.
            #expect(found.fault == nil && found.entries == 4)
            try await Self.fill(desk, 1)
            #expect(try await desk.verification().fault == nil)
            // A beginning that was moved without the key is not signed.
            try await desk.world.pool.query("UPDATE audit_marks SET last_id = 1 WHERE name = 'start'")
            #expect(try await desk.verification().fault != nil)
            // A cut would sign the beginning that somebody else has chosen.
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
            #expect(found.fault == nil && found.entries == 20)
        }
    }
}
