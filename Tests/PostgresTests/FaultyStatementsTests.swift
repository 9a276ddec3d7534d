#if DEBUG
    import Glibc
    import Postgres
    @testable import PostgresFaults
    import TestKit
    import Testing

    @Suite("Faulty statements")
    struct FaultyStatementsTests {
        /// A folder with a folder of faults in it.
        private let folder = TemporaryFolder()

        private func faults(due: String? = nil) throws -> FaultFolder {
            #expect(mkdir("\(folder.path)/siege", 0o700) == 0)
            if let due { _ = try folder.file("siege/due", due) }
            return FaultFolder("\(folder.path)/siege")
        }

        private func exists(_ name: String) -> Bool { access("\(folder.path)/\(name)", F_OK) == 0 }

        @Test("are sent as they are when nothing is asked for")
        func untouched() throws {
            var statements = FaultyStatements(faults: try faults())
            for text in ["BEGIN", "INSERT INTO registrations", "COMMIT", "END OF COPY"] {
                #expect(statements.step(before: text) == .send(text))
            }
            #expect(exists("passed"))
        }

        @Test("fail once at each site, at the next one that has not failed in that way")
        func once() throws {
            let faults = try faults(due: "lost-before")
            var statements = FaultyStatements(faults: faults)
            let lost = StatementStep.stop(.close(.connectionLost("a fault before the statement")))
            #expect(statements.step(before: "SELECT 1") == lost)
            #expect(!exists("siege/due"))
            #expect(exists("c530407e0051ba72 lost-before"))
            _ = try folder.file("siege/due", "unknown lost-before")
            #expect(statements.step(before: "SELECT 1") == .send("SELECT 1"))
            #expect(statements.step(before: "SELECT 2") == lost)
            _ = try folder.file("siege/due", "lost-before unanswered")
            #expect(
                statements.step(before: "SELECT 1") == .send("SELECT 1", then: .close(.timedOut)))
        }

        @Test("fail in each way before the statement, after it, or in its place")
        func ways() {
            func step(_ fault: StatementFault) -> StatementStep {
                fault.step(before: "SELECT 1", sending: "SELECT 2")
            }
            #expect(step(.killedBefore) == .stop(.endProcess))
            #expect(step(.killedAfter) == .send("SELECT 2", then: .endProcess))
            #expect(step(.lostBefore) == .stop(.close(.connectionLost("a fault before the statement"))))
            #expect(
                step(.lostAfter)
                    == .send("SELECT 2", then: .close(.connectionLost("a fault after the statement"))))
            #expect(step(.unanswered) == .send("SELECT 2", then: .close(.timedOut)))
            #expect(
                step(.adminShutdown) == .fail(script: "SELECT pg_terminate_backend(pg_backend_pid())"))
            #expect(
                step(.deadlock)
                    == .fail(
                        script: "DO $$BEGIN RAISE EXCEPTION 'a fault' USING ERRCODE = '40P01'; END$$"))
        }

        @Test(
            "fail in the server's ways without a script at the end of a COPY",
            arguments: [StatementFault.serializationFailure, .deadlock, .canceled, .adminShutdown])
        func copies(fault: StatementFault) {
            #expect(
                fault.step(before: "END OF COPY", sending: "END OF COPY")
                    == .stop(.close(.connectionLost("a fault before the end of a COPY"))))
        }

        @Test("are changed by a mistake, where it concerns them")
        func mistakes() {
            var statements = FaultyStatements(mistake: .keepsAccounts)
            #expect(
                statements.step(before: "DELETE FROM users WHERE id = $1")
                    == .send("DELETE FROM users WHERE false AND id = $1"))
            #expect(statements.step(before: "SELECT 1 WHERE id = $1") == .send("SELECT 1 WHERE id = $1"))
        }

        @Test("are rolled back by a mistake that reports COMMIT, in that transaction only")
        func lostTransactions() {
            var statements = FaultyStatements(mistake: .losesCancellings)
            let cancelling = "UPDATE registrations SET cancelled_at = now()"
            func steps(_ texts: String...) -> [StatementStep] { texts.map { statements.step(before: $0) } }
            #expect(steps("BEGIN", cancelling, "COMMIT").last == .send("ROLLBACK; BEGIN; COMMIT"))
            #expect(steps("BEGIN", "SELECT 1", "COMMIT").last == .send("COMMIT"))
            #expect(steps("BEGIN", cancelling, "ROLLBACK", "BEGIN", "COMMIT").last == .send("COMMIT"))
        }

        @Test("of registrations are rolled back in one of three transactions")
        func lostRegistrations() {
            var statements = FaultyStatements(mistake: .losesRegistrations)
            var lost = 0
            for _ in 0..<6 {
                for text in ["BEGIN", "INSERT INTO registrations"] { _ = statements.step(before: text) }
                lost += statements.step(before: "COMMIT") == .send("COMMIT") ? 0 : 1
            }
            #expect(lost == 2)
        }
    }
#endif
