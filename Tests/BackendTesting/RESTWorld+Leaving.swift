import Testing

@testable import API
@testable import Database

extension RESTWorld {
    /// Removes what accounts have left that were deleted.
    func eraseDeletedAccounts() async throws {
        try await AccountErasureWorker(AccountErasure(pool: pool, now: application.now)).removeAll()
    }

    /// Sends `DELETE`, and checks the status if one is expected; returns the status.
    @discardableResult
    func delete(
        _ path: String, _ token: String, expecting status: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Int {
        try await send(
            "DELETE", path, token: token, expecting: status, sourceLocation: sourceLocation
        ).status
    }
}
