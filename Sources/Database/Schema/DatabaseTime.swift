package import Contract
package import Postgres

/// The clock of the database, which all servers go by.
package enum DatabaseTime {
    private static let select = "SELECT clock_timestamp()"

    /// Returns the time at which the statement ran.
    package static func read(on connection: PostgresConnection) async throws(PostgresError) -> Timestamp {
        try await connection.query(select)[0].decode(0)
    }
}
