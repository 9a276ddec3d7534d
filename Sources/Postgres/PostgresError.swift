/// An error of the database, of the connection to it, or of a call.
package enum PostgresError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server refused the statement; the connection is as good as before.
    case server(ServerError)
    /// The connection broke while a statement was under way. Outside a transaction it may have taken effect.
    case connectionLost(String)
    /// The connection broke during COMMIT: the transaction has taken effect as a whole, or not at all.
    case commitUnknown(String)
    /// The transaction had failed before COMMIT, although the body did not throw: the server rolled it back.
    case rolledBack
    /// No connection could be had; nothing was sent.
    case unavailable(String)
    /// The server gave no answer in time. The connection is closed; the statement may have taken effect.
    case timedOut
    /// The task was cancelled. A statement that was under way may have taken effect, unless it was in a
    /// transaction.
    case cancelled
    /// The connection string cannot be used.
    case configuration(String)
    /// The value of a column does not have the type that it was read as.
    case decoding(String)
    /// The call is invalid; nothing was sent.
    case invalid(String)

    /// Whether the same transaction, run again from its start, may succeed.
    package var isRetryable: Bool {
        sqlState == .serializationFailure || sqlState == .deadlockDetected
    }

    /// Whether this connection is gone, though another one may work.
    package var meansDeadConnection: Bool {
        if case .connectionLost = self { return true }
        return sqlState == .adminShutdown || sqlState == .crashShutdown
    }

    /// Whether the database is unreachable or overloaded, and the request itself is not at fault.
    package var meansUnavailable: Bool {
        switch self {
        case .server(let error):
            switch error.sqlState {
            case .adminShutdown, .crashShutdown, .cannotConnectNow, .queryCanceled, .lockNotAvailable,
                .readOnlyTransaction:
                true
            case let state:
                // Classes 08 and 53: connection exceptions, insufficient resources.
                state.classCode == "08" || state.classCode == "53"
            }
        case .connectionLost, .commitUnknown, .unavailable, .timedOut: true
        case .rolledBack, .cancelled, .configuration, .decoding, .invalid: false
        }
    }

    /// The state that the server reported; nil if the error is not the server's.
    package var sqlState: SQLState? {
        if case .server(let error) = self { error.sqlState } else { nil }
    }

    /// The constraint that was violated, if any.
    package var constraint: String? {
        if case .server(let error) = self { error.constraint } else { nil }
    }

    package var description: String {
        switch self {
        case .server(let error): "the database refused: \(error)"
        case .connectionLost(let reason): "the connection to the database was lost: \(reason)"
        case .commitUnknown(let reason): "the connection was lost during COMMIT: \(reason)"
        case .rolledBack: "the transaction had failed and was rolled back"
        case .unavailable(let reason): "the database is unavailable: \(reason)"
        case .timedOut: "the database did not answer in time"
        case .cancelled: "cancelled"
        case .configuration(let reason): reason
        case .decoding(let reason): "unexpected data: \(reason)"
        case .invalid(let reason): reason
        }
    }
}
