#if DEBUG
    @testable import Postgres
    import PostgresTesting
    import Testing

    /// A hook that takes one step at the statements of one text, and sends the others.
    private struct HookAtText: StatementHook {
        let text: String
        let step: StatementStep

        func step(before statement: String) -> StatementStep { statement == text ? step : .send(statement) }
    }

    extension PostgresConnection {
        /// Gives the connection a hook that takes the step at each statement of the text.
        fileprivate func takeStep(_ step: StatementStep, at text: String) {
            hook = HookAtText(text: text, step: step)
        }
    }

    @Suite("The hook of statements", .timeLimit(.minutes(5)))
    struct StatementHookTests {
        private static let failure = "DO $$BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '40001'; END$$"

        /// Lends a connection to the body, on which the step is taken at each statement of the text.
        private func with(
            _ step: StatementStep, at text: String, _ body: (PostgresConnection) async throws -> Void
        ) async throws {
            try await TestDatabase.withConnection { connection in
                try await connection.simple("CREATE TABLE t (a int8)")
                await connection.takeStep(step, at: text)
                try await body(connection)
            }
        }

        private func count(on connection: PostgresConnection) async throws -> Int {
            try await connection.query("SELECT count(*) FROM t")[0].decode(0, Int.self)
        }

        @Test("sends another text, with the same parameters")
        func send() async throws {
            try await with(.send("SELECT $1 + 1"), at: "SELECT $1") { connection in
                let rows = try await connection.query("SELECT $1", [1])
                #expect(try rows[0].decode(0, Int.self) == 2)
            }
        }

        @Test("fails a statement by a script; the connection stays usable")
        func fail() async throws {
            try await with(.fail(script: Self.failure), at: "SELECT $1") { connection in
                let error = await #expect(throws: PostgresError.self) {
                    try await connection.query("SELECT $1", [1])
                }
                #expect(error?.sqlState == .serializationFailure)
                let count = try await count(on: connection)
                #expect(count == 0)
            }
        }

        @Test("fails a COMMIT, after which nothing is committed and the connection stays usable")
        func failedCommit() async throws {
            try await with(.fail(script: "ROLLBACK; " + Self.failure), at: "COMMIT") { connection in
                let error = await #expect(throws: PostgresError.self) {
                    try await connection.transaction { try await $0.execute("INSERT INTO t VALUES (1)") }
                }
                #expect(error?.sqlState == .serializationFailure)
                #expect(await connection.isReusable)
                let count = try await count(on: connection)
                #expect(count == 0)
            }
        }

        @Test("closes the connection where the script does not fail")
        func successfulScript() async throws {
            try await with(.fail(script: "SELECT 1"), at: "SELECT 2") { connection in
                await #expect(throws: PostgresError.self) { try await connection.simple("SELECT 2") }
                #expect(await !connection.isOpen)
            }
        }

        @Test("closes the connection before a statement, which then has no effect")
        func stop() async throws {
            try await with(.stop(.close(.timedOut)), at: "INSERT INTO t VALUES (1)") { connection in
                await #expect(throws: PostgresError.timedOut) {
                    try await connection.execute("INSERT INTO t VALUES (1)")
                }
                #expect(await connection.closeReason == .timedOut)
            }
        }

        @Test("closes the connection after a COMMIT, whose effect is then unknown")
        func lostAnswer() async throws {
            let step = StatementStep.send("COMMIT", then: .close(.connectionLost("gone")))
            try await with(step, at: "COMMIT") { connection in
                await #expect(throws: PostgresError.commitUnknown("gone")) {
                    try await connection.transaction { try await $0.execute("INSERT INTO t VALUES (1)") }
                }
                #expect(await !connection.isOpen)
            }
        }

        @Test("stops a COPY before its end, which counts as a statement")
        func copies() async throws {
            let reason = PostgresError.connectionLost("gone")
            try await with(.stop(.close(reason)), at: "END OF COPY") { connection in
                await #expect(throws: reason) {
                    try await connection.copyIn("COPY t (a) FROM STDIN (FORMAT binary)", [1, 2]) {
                        $0.append($1)
                    }
                }
                #expect(await connection.closeReason == reason)
            }
        }
    }
#endif
