#if DEBUG
    import CPostgres

    extension PostgresConnection {
        static var endOfCopy: String { "END OF COPY" }

        /// Injects a fault before a statement: throws a fault that replaces the statement, and returns one
        /// that comes after it.
        func strike(before sql: String) async throws(PostgresError) -> StatementFault? {
            guard StatementFault.isEnabled, isOpen else { return nil }
            let site = trail.pass(sql)
            guard let fault = StatementFault.due(at: site) else { return nil }
            if sql == Self.endOfCopy && fault.isOfTheServer {
                // During a COPY the server takes no other statement.
                throw lose(.connectionLost("a fault before the end of a COPY"))
            }
            switch fault {
            case .killedBefore: StatementFault.end()
            case .lostBefore: throw lose(.connectionLost("a fault before the statement"))
            case .serializationFailure, .deadlock, .canceled:
                try await raise(fault.rawValue, inPlaceOf: sql)
            case .adminShutdown:
                try await run("SELECT pg_terminate_backend(pg_backend_pid())")
                throw lose(.connectionLost("the session was ended"))
            case .killedAfter, .lostAfter, .unanswered: break
            }
            return fault
        }

        /// Injects a fault after a statement that took effect.
        func strike(after fault: StatementFault?) throws(PostgresError) {
            switch fault {
            case .killedAfter: StatementFault.end()
            case .lostAfter: throw lose(.connectionLost("a fault after the statement"))
            case .unanswered: throw lose(.timedOut)
            case .killedBefore, .lostBefore, .serializationFailure, .deadlock, .canceled, .adminShutdown, nil:
                break
            }
        }

        /// Makes the server report the error, so that a transaction has failed there too.
        private func raise(_ state: String, inPlaceOf sql: String) async throws(PostgresError) {
            let block = "DO $$BEGIN RAISE EXCEPTION 'a fault' USING ERRCODE = '\(state)'; END$$"
            do throws(PostgresError) {
                try await run(block)
            } catch {
                // A COMMIT that fails has ended the transaction.
                if sql == "COMMIT" { try await run("ROLLBACK") }
                throw error
            }
        }

        private func run(_ script: String) async throws(PostgresError) {
            _ = try await exchange(shielded: true) { channel, waiter in
                channel.query(waiter) { PQsendQuery($0, script) }
            }
        }
    }
#endif
