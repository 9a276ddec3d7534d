/// An error that kept the schema from being brought up to date. Migrations that had been applied stay
/// applied.
package enum MigrationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The list of migrations has a gap, or is out of order, at that version.
    case outOfOrder(version: Int)
    /// The migration was edited after it had been applied.
    case changed(version: Int, name: String)
    /// The database has been migrated by a newer program.
    case unknown(version: Int)
    /// A later migration has been applied, but not this one.
    case skipped(version: Int, name: String)
    case failed(version: Int, name: String, PostgresError)
    case database(PostgresError)

    /// The error of the database, if the database was the cause.
    package var cause: PostgresError? {
        switch self {
        case .failed(_, _, let error), .database(let error): error
        case .outOfOrder, .changed, .unknown, .skipped: nil
        }
    }

    package var description: String {
        switch self {
        case .outOfOrder(let version):
            "the list of migrations has a gap or is out of order at version \(version)"
        case .changed(let version, let name):
            "migration \(version) (\(name)) was changed after it had been applied: restore its text and "
                + "add a new one"
        case .unknown(let version):
            "the database has migration \(version), which this program does not know: use a newer program"
        case .skipped(let version, let name):
            "migration \(version) (\(name)) was not applied although a later one was"
        case .failed(let version, let name, let error): "migration \(version) (\(name)) failed: \(error)"
        case .database(let error): "\(error)"
        }
    }
}
