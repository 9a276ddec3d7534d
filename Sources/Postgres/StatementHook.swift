#if DEBUG
    import Glibc
    package import Reactor

    /// The part of a test that decides what a connection does with its statements; each connection has its
    /// own. Debug builds only.
    package protocol StatementHook: Sendable {
        /// Returns what the connection does instead of sending the statement. The end of the rows of a COPY
        /// counts as a statement, `END OF COPY`.
        mutating func step(before statement: String) -> StatementStep
    }

    /// A step that a connection takes instead of sending a statement.
    package enum StatementStep: Hashable, Sendable {
        /// The text is sent instead of the statement's own. A break comes after the answer, which is lost.
        case send(String, then: StatementBreak? = nil)
        /// The script runs instead of the statement, which fails with the script's error.
        case fail(script: String)
        /// The break comes before the statement is sent.
        case stop(StatementBreak)
    }

    /// An end of the connection, or of the whole process.
    package enum StatementBreak: Hashable, Sendable {
        /// The connection is closed; the statement fails for the same reason.
        case close(PostgresError)
        /// SIGKILL ends the process, as the loss of the machine would.
        case endProcess
    }

    extension PostgresConnection {
        /// The closure that makes the hook of each connection that is opened from then on.
        package static let makeHook = Lock<(@Sendable () -> any StatementHook)?>(nil)

        func take(
            _ step: StatementStep, inPlaceOf statement: Statement
        ) async throws(PostgresError) -> [ResultHandle] {
            switch step {
            case .send(let text, let end):
                let results = try await perform(Statement(text: text, kind: statement.kind))
                if let end { throw breakOff(end) }
                return results
            case .fail(let script):
                _ = try await perform(Statement(text: script, kind: .script(isShielded: true)))
                throw breakOff(.close(.connectionLost("the script in place of a statement did not fail")))
            case .stop(let end):
                throw breakOff(end)
            }
        }

        private func breakOff(_ end: StatementBreak) -> PostgresError {
            switch end {
            case .close(let reason):
                close(for: reason)
                return reason
            case .endProcess:
                kill(getpid(), SIGKILL)
                while true { pause() }
            }
        }
    }
#endif
