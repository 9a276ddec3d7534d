import Postgres

@testable import Database

extension SignedInUser {
    /// Returns the account with the token; nil if there is none.
    static func find(_ token: APIToken, in database: PostgresPool) async throws -> SignedInUser? {
        try await find(token.hash, in: database)
    }
}
