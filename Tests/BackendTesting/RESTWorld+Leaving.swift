import Testing

@testable import API
@testable import Database

extension RESTWorld {
    /// Removes what accounts have left that were deleted.
    func eraseDeletedAccounts() async throws {
        try await AccountErasureWorker(AccountErasure(pool: pool, now: application.now)).removeAll()
    }

    /// Sends `DELETE`; returns the status.
    func delete(_ path: String, _ token: String) async throws -> Int {
        try await send("DELETE", path, token: token).status
    }
}
