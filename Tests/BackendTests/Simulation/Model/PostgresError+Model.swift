@testable import Postgres

extension PostgresError {
    /// What the server says when it does not do a statement.
    static func refused(_ state: SQLState) -> PostgresError {
        .server(
            ServerError(sqlState: state, message: "of the model", detail: nil, constraint: nil, table: nil))
    }
}
