import Postgres
import PostgresTesting
import TestKit
import Testing

@Suite("The audit log of an installation", .timeLimit(.minutes(5)))
struct AuditTests {
    @Test("begins once, has its head in the server's log, and stays broken once it was wiped")
    func begins() async throws {
        try await Stage.with { stage in
            let key = String(repeating: "k", count: 32)
            let environment = ["DATABASE_URL": stage.database.url, "AUDIT_KEY": key]
            let program = try BuiltProgram.server.path()
            func run(_ arguments: String...) async throws -> Finished {
                try await Finished.run(program, arguments, environment: environment)
            }
            let password = "\(stage.folder.path)/password"
            let file = try await Finished.run(
                "sh", ["-c", "umask 077; echo 'a long password' > \(password)"])
            #expect(file.status == 0)
            #expect(try await run("migrate").status == 0)
            #expect(try await run("audit", "verify").status == 0)
            for name in ["anna", "bea"] {
                let added = try await run(
                    "operator", "add", name, "--role", "admin", "--password-file", password)
                #expect(added.status == 0, "\(added)")
            }
            let verified = try await run("audit", "verify")
            let head = try #require(verified.output.firstMatch(of: /[0-9a-f]{64}/)).output
            #expect(verified.status == 0 && verified.output.contains("2 entries"))
            let server = try await stage.startOne(["ADMIN_PORT": "0", "AUDIT_KEY": key])
            try await eventually { server.log.contains("audit log entries=2 head=\(head)") }
            #expect(try await run("operator", "disable", "bea").status == 0)
            #expect(try await run("audit", "verify", "--head", String(head)).status == 0)
            let strange = try await run("audit", "verify", "--head", String(repeating: "0", count: 64))
            #expect(strange.status == 1 && strange.output.contains("does not contain the given head"))
            let backup = try await run("backup", "\(stage.folder.path)/backup")
            #expect(backup.status == 0 && backup.output.contains("no part of it: AUDIT_KEY"), "\(backup)")

            try await stage.database.withConnection { connection in
                try await connection.simple(
                    """
                    ALTER TABLE audit DISABLE TRIGGER audit_is_only_added_to;
                    TRUNCATE audit, audit_words, audit_marks
                    """)
            }
            #expect(try await run("audit", "verify").status == 1)
            // No act begins another chain.
            let act = try await run("operator", "reset", "anna", "--password-file", password)
            #expect(act.status == 1 && act.errors.contains("The audit log is missing"), "\(act)")
            let wiped = try await run("audit", "verify")
            #expect(wiped.status == 1 && wiped.output.contains("it was removed"), "\(wiped)")
        }
    }
}
