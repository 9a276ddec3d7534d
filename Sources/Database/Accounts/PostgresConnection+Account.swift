package import Contract
package import Postgres

extension PostgresConnection {
    /// Lets the requests of one user that come here run one after the other until the end of the
    /// transaction, so that a limit is exact, and keeps the account from being deleted. Throws an
    /// `APIError` if the account is gone.
    package func lockAccount(_ user: Identifier) async throws {
        let rows = try await query("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [user])
        if rows.isEmpty { throw APIError.accountDeleted }
    }
}
