package import Postgres

/// The silence of a copy of a database: its events are delivered to no endpoint.
package enum DeliverySilence {
    private static let disable = """
        UPDATE endpoints SET disabled_at = now(), reason = 'this database is a copy' WHERE disabled_at IS NULL
        """

    private static let settle = """
        UPDATE deliveries SET settled_at = now(), outcome = 'gone', courier = NULL WHERE settled_at IS NULL
        """

    /// Disables all endpoints, and settles all deliveries that wait.
    package static func impose(on connection: PostgresConnection) async throws {
        try await connection.simple("\(disable); \(settle)")
    }
}
