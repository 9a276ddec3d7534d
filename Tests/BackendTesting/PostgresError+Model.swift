@testable import Postgres

extension PostgresError {
    /// Returns the server's error for a statement that it does not execute.
    static func refused(_ state: SQLState) -> PostgresError {
        .server(
            ServerError(sqlState: state, message: "of the model", detail: nil, constraint: nil, table: nil))
    }
}
