package import Postgres

/// The mark of a database into which a restore is under way or was cut off: a table without columns.
///
/// It is committed before the database is filled, and goes in the transaction that ends the restore. No
/// program works on a database with the mark.
package enum RestoreMark {
    static let table = "letsswitch_restoring"

    /// A sentence for an operator whose database has the mark.
    package static let fault =
        "A restore into this database is under way, or was cut off: wait for it, or restore into a new one."

    package static func isSet(on connection: PostgresConnection) async throws -> Bool {
        try await connection.query("SELECT to_regclass('\(table)') IS NOT NULL")[0].decode(0, Bool.self)
    }

    package static func set(on connection: PostgresConnection) async throws {
        try await connection.simple(
            "SET client_min_messages = warning; CREATE TABLE IF NOT EXISTS \(table) (); "
                + "RESET client_min_messages")
    }

    package static func remove(on connection: PostgresConnection) async throws {
        try await connection.simple("DROP TABLE \(table)")
    }
}
