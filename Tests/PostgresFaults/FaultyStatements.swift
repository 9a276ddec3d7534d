#if DEBUG
    package import Postgres
    import Reactor

    /// The hook of one connection of a server whose statements fail, or that makes a mistake on purpose.
    /// Debug builds only.
    package struct FaultyStatements: StatementHook {
        private let faults: FaultFolder?
        private let mistake: PlantedMistake?
        private var trail = StatementTrail()
        /// Whether the mistake rolls back the current transaction.
        private var losesTransaction = false

        init(faults: FaultFolder? = nil, mistake: PlantedMistake? = nil) {
            self.faults = faults
            self.mistake = mistake
        }

        /// Gives each connection of this process a hook, as the environment says: `LETSSWITCH_FAULTS` names
        /// a `FaultFolder`, `LETSSWITCH_MISTAKE` a `PlantedMistake`.
        package static func install() {
            let environment = ProcessEnvironment.current()
            let faults = environment["LETSSWITCH_FAULTS"].map { FaultFolder($0) }
            let mistake = environment["LETSSWITCH_MISTAKE"].map { name in
                guard let mistake = PlantedMistake(rawValue: name) else {
                    preconditionFailure("no mistake \(name)")
                }
                return mistake
            }
            PostgresConnection.makeHook.withLock {
                $0 = { FaultyStatements(faults: faults, mistake: mistake) }
            }
        }

        package mutating func step(before statement: String) -> StatementStep {
            let text = mistaken(statement)
            guard let fault = faults?.due(at: trail.pass(statement)) else { return .send(text) }
            return fault.step(before: statement, sending: text)
        }

        /// Returns the text that is sent in place of the statement: the same, unless a mistake is planted.
        private mutating func mistaken(_ statement: String) -> String {
            guard let mistake else { return statement }
            if statement.hasPrefix("BEGIN") || statement == "ROLLBACK" { losesTransaction = false }
            if mistake.undoesTransaction(of: statement) { losesTransaction = true }
            if statement == "COMMIT" && losesTransaction { return "ROLLBACK; BEGIN; COMMIT" }
            return mistake.changed(statement)
        }
    }

    extension StatementFault {
        /// Returns what a connection does in place of sending the statement.
        func step(before statement: String, sending text: String) -> StatementStep {
            switch self {
            case .killedBefore: .stop(.endProcess)
            case .killedAfter: .send(text, then: .endProcess)
            case .lostBefore: .stop(.close(.connectionLost("a fault before the statement")))
            case .lostAfter: .send(text, then: .close(.connectionLost("a fault after the statement")))
            case .unanswered: .send(text, then: .close(.timedOut))
            case .serializationFailure, .deadlock, .canceled, .adminShutdown:
                // During a COPY the server takes no other statement.
                statement == "END OF COPY"
                    ? .stop(.close(.connectionLost("a fault before the end of a COPY")))
                    : .fail(script: script(inPlaceOf: statement))
            }
        }

        /// Returns a script with which the server reports the fault, so that a transaction has failed there
        /// too.
        private func script(inPlaceOf statement: String) -> String {
            if self == .adminShutdown { return "SELECT pg_terminate_backend(pg_backend_pid())" }
            // A COMMIT that fails has ended the transaction.
            let end = statement == "COMMIT" ? "ROLLBACK; " : ""
            return end + "DO $$BEGIN RAISE EXCEPTION 'a fault' USING ERRCODE = '\(rawValue)'; END$$"
        }
    }
#endif
