package import Postgres

/// The version of the schema that a database has, and the one that this program needs.
package struct SchemaVersion: Sendable {
    package let found: Int
    let needed: Int
    private let status: MigrationStatus

    package static func read(on connection: PostgresConnection) async throws -> SchemaVersion {
        let status = try await Migrations.migrator().status(on: connection)
        let needed = Migrations.all.count
        return SchemaVersion(found: status.found(of: needed), needed: needed, status: status)
    }

    /// A sentence for an operator; nil if this program can work on the schema.
    package var fault: String? {
        if !status.unknown.isEmpty {
            return "The database has version \(found) of the schema, and this program knows \(needed): "
                + "use a newer program."
        }
        if !status.pending.isEmpty {
            return "The database has version \(found) of the schema, and this program needs \(needed): "
                + "run `letsswitch-server migrate` first."
        }
        if let first = status.changed.first {
            return
                "Version \(first.version) of the schema is another one in the database than in this program."
        }
        return nil
    }
}
