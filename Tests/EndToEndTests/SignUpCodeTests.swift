import Client
import Contract
import Postgres
import PostgresTesting
import TestKit
import Testing

@Suite("Codes for sign-ups", .timeLimit(.minutes(5)))
struct SignUpCodeTests {
    @Test("are made, listed and ended by a command, and let people in; the audit log has what it did")
    func command() async throws {
        try await Stage.with { stage in
            let key = String(repeating: "k", count: 32)
            let environment = ["DATABASE_URL": stage.database.url, "AUDIT_KEY": key, "SIGNUPS": "code"]
            let program = try BuiltProgram.server.path()
            func run(_ arguments: String...) async throws -> Finished {
                try await Finished.run(program, arguments, environment: environment)
            }
            #expect(try await run("migrate").status == 0)
            #expect(try await run("signup-code", "list").output == "There are no codes.\n")
            // There is no operator, and so no audit log.
            let made = try await run("signup-code", "add", "--uses", "2")
            #expect(made.status == 0 && made.output.contains("makes 2 accounts until"), "\(made)")
            let code = try #require(made.output.split(separator: "\n").last).description
            let file = try await Finished.run(
                "sh", ["-c", "umask 077; echo 'a long password' > \(stage.folder.path)/password"])
            #expect(file.status == 0)
            let added = try await run(
                "operator", "add", "anna", "--role", "admin", "--password-file",
                "\(stage.folder.path)/password")
            #expect(added.status == 0, "\(added)")

            let server = try await stage.startOne(["SIGNUPS": "code"])
            let api = APIClient(server: try server.server, token: nil, loop: TestLoops.next())
            let refused = await #expect(throws: ClientError.self) {
                try await api.signUp(NewUser(name: "Ann"))
            }
            #expect(refused?.kind == "problem:sign-ups-closed")
            #expect(try await api.signUp(NewUser(name: "Ann", code: code)).user.name == "Ann")
            let list = try await run("signup-code", "list")
            #expect(list.output.contains("1 of 2") && !list.output.contains(code), "\(list)")
            #expect(try await run("signup-code", "end", "1").status == 0)
            let again = try await run("signup-code", "end", "1")
            #expect(again.status == 1 && again.errors.contains("There is no code 1"), "\(again)")
            await #expect(throws: ClientError.self) {
                try await api.signUp(NewUser(name: "Bea", code: code))
            }
            // Two entries: of the operator, and of the end of the code.
            let verified = try await run("audit", "verify")
            #expect(verified.status == 0 && verified.output.contains("2 entries"), "\(verified)")
        }
    }

    @Test("are removed by a server once they have expired, as codes for a first sign-in are")
    func expired() async throws {
        try await Stage.with { stage in
            let migrated = try await Finished.run(
                try BuiltProgram.server.path(), ["migrate"], environment: ["DATABASE_URL": stage.database.url]
            )
            #expect(migrated.status == 0)
            try await stage.database.withConnection { connection in
                try await connection.simple(
                    """
                    INSERT INTO sign_up_codes (hash, operator, created_at, expires_at, uses)
                    SELECT sha256(hours::text::bytea), 'test', now(), now() + hours * interval '1 hour', 1
                    FROM unnest(ARRAY[-1, 1]) AS hours;
                    INSERT INTO users (id, name, time_zone, token_hash, created_at)
                    SELECT gen_random_uuid(), 'New', 'UTC', sha256(hours::text::bytea), now()
                    FROM unnest(ARRAY[-1, 1]) AS hours;
                    INSERT INTO sign_in_codes (user_id, hash, created_at, expires_at)
                    SELECT id, token_hash, now(),
                        now() + CASE WHEN token_hash = sha256('-1') THEN -1 ELSE 1 END * interval '1 hour'
                    FROM users
                    """)
            }
            _ = try await stage.startOne()
            for table in ["sign_up_codes", "sign_in_codes"] {
                try await eventually(equals: 1) {
                    try await stage.database.withConnection { connection in
                        try await connection.query("SELECT FROM \(table)").count
                    }
                }
            }
        }
    }

    @Test("have bounds, and a hint if SIGNUPS does not ask for them")
    func bounds() async throws {
        try await Stage.with { stage in
            let environment = ["DATABASE_URL": stage.database.url]
            func run(_ arguments: String...) async throws -> Finished {
                try await Finished.run(try BuiltProgram.server.path(), arguments, environment: environment)
            }
            #expect(try await run("migrate").status == 0)
            for (flag, value) in [
                ("--uses", "10001"), ("--until", "2020-01-01T00:00:00Z"), ("--until", "2099-01-01T00:00:00Z"),
            ] {
                let refused = try await run("signup-code", "add", flag, value)
                #expect(refused.status == 1 && refused.errors.contains("\(flag) has to be"), "\(refused)")
            }
            let made = try await run("signup-code", "add")
            #expect(made.output.contains("It has no effect while SIGNUPS is without code."), "\(made)")
        }
    }
}
