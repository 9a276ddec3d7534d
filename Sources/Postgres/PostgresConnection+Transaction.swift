/// The isolation level of a transaction.
package enum TransactionIsolation: String, Sendable {
    case readCommitted = "READ COMMITTED"
    case repeatableRead = "REPEATABLE READ"
    case serializable = "SERIALIZABLE"
}

extension PostgresConnection {
    /// Runs the body in a transaction, which is committed if the body returns and rolled back if it throws.
    ///
    /// Throws `.commitUnknown` if the connection broke during COMMIT, and `.rolledBack` if a statement failed
    /// and the body went on all the same. COMMIT and ROLLBACK run even if the task is cancelled: on a
    /// connection
    /// of a pool, ROLLBACK follows the statement during which that happened.
    @discardableResult
    package nonisolated func transaction<Value>(
        _ isolation: TransactionIsolation = .readCommitted, readOnly: Bool = false,
        _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        try await begin(isolation, readOnly: readOnly)
        let value: Value
        do {
            value = try await body(self)
        } catch {
            await rollback()
            throw error
        }
        try await commit()
        return value
    }

    private func begin(_ isolation: TransactionIsolation, readOnly: Bool) throws(PostgresError) {
        if isAbandoned { throw .cancelled }
        precondition(
            !isOpen || isOutsideTransaction && unsentBegin == nil, "a transaction inside a transaction")
        if let closeReason { throw closeReason }
        let access = readOnly ? " READ ONLY" : ""
        unsentBegin = "BEGIN ISOLATION LEVEL \(isolation.rawValue)\(access)"
    }

    /// Forgets the BEGIN of a transaction that has run no statement. Returns false where it has run one.
    private func endUnsent() -> Bool {
        defer { unsentBegin = nil }
        return unsentBegin != nil
    }

    private func commit() async throws(PostgresError) {
        if let closeReason { throw closeReason }
        if endUnsent() { return }
        do throws(PostgresError) {
            // The server answers ROLLBACK, and no error, to the COMMIT of a transaction that has failed.
            guard try await send("COMMIT", shielded: true)?.commandTag == "COMMIT" else { throw .rolledBack }
        } catch {
            switch error {
            case .connectionLost(let reason): throw .commitUnknown(reason)
            case .timedOut: throw .commitUnknown("no answer in time")
            case .server, .rolledBack, .commitUnknown, .unavailable, .cancelled, .configuration, .decoding,
                .invalid:
                throw error
            }
        }
    }

    /// Rolls back, unless the connection does that by itself, since the caller was cancelled during a
    /// statement.
    private func rollback() async {
        guard isOpen, !endUnsent(), !isAbandoned else { return }
        do throws(PostgresError) { _ = try await send("ROLLBACK", shielded: true) } catch { close() }
    }

    /// Runs the body with another statement timeout: for COPY, index builds and the like.
    @discardableResult
    package nonisolated func withStatementTimeout<Value>(
        _ timeout: Duration, _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        try await setStatementTimeout(timeout)
        let value: Value
        do {
            value = try await body(self)
        } catch {
            await restoreStatementTimeout()
            throw error
        }
        await restoreStatementTimeout()
        return value
    }

    /// Restores the configured statement timeout, as the connection does by itself after an abandoned call.
    /// Closes the connection if that fails, as in a failed transaction, where the server takes no SET.
    private func restoreStatementTimeout() async {
        guard isOpen, !isAbandoned else { return }
        do throws(PostgresError) {
            try await setStatementTimeout(configuration.statementTimeout)
        } catch {
            close()
        }
    }
}
