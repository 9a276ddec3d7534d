package import Contract
package import Postgres

/// The rows of the servers: in the database, or in a model of it.
package protocol ServerRows: Sendable {
    /// As `ServerDirectory.renew`.
    func renew(_ own: ServerDirectory.Own) async throws(PostgresError) -> ServerDirectory.Renewal
    /// As `ServerDirectory.read`.
    func read(
        _ incarnation: Identifier, boot: Identifier?
    ) async throws(PostgresError) -> ServerDirectory.Finding?
    /// As `ServerDirectory.leave`.
    func leave(_ incarnation: Identifier) async throws(PostgresError)
}

extension ServerDirectory: ServerRows {}
