import Contract
import Database
import Glibc
import Postgres
import PrivatePostgres
import Reactor
import Settings

/// `letsswitch-server restore FILE`, which brings a backup into an empty database: all of it, or nothing.
///
/// The database has the mark of a restore from before the first row until the ids have jumped, so that no
/// program works on what is there in between.
struct RestoreCommand: Sendable {
    /// The time limit of a statement that changes many rows.
    private static let statementLimit = Duration.seconds(3600)

    let configuration: ServerConfiguration
    let path: String
    /// Whether the endpoints are disabled, for a copy beside a service that goes on.
    var withoutDeliveries = false

    /// The archive for `pg_restore`: the file, or `data` in the folder that earlier versions wrote.
    private var archive: String { access("\(path)/data", F_OK) == 0 ? "\(path)/data" : path }

    func run() async throws {
        guard access(archive, R_OK) == 0 else {
            throw StartFailure("\(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        try await OpenedDatabase.with(configuration, .fill, "restore") { database, connection in
            let place =
                configuration.databaseURL == nil
                ? "the private database of DATA_DIR=\(configuration.dataDirectory)"
                : "the database \(database)"
            if let examples = try await DatabaseContents.examples(on: connection) {
                if try await RestoreMark.isSet(on: connection) { throw StartFailure(RestoreMark.fault) }
                throw StartFailure(
                    "The database \(database) is not empty (\(examples)): restore into a new one.")
            }
            let major = try await DatabaseContents.majorVersion(on: connection)
            let program = try await ClientPrograms.find(forServer: major, to: .restore).restore
            try await checkSchema(by: program)
            PostgresProgram.say("restoring into \(place)")
            try await restore(to: database, on: connection, by: program)
        }
    }

    /// Reads the versions of the schema in the archive. Throws `StartFailure` if it has none, or if this
    /// program does not know them all.
    private func checkSchema(by program: String) async throws {
        // The script has a line for each row, which begins with the version.
        let script = try await PostgresProgram.run(
            program,
            ["--data-only", "--table=schema_migrations", "--table=schema_versions", "--file=-", archive])
        let versions = script.split(separator: "\n").compactMap { Int($0.prefix { $0 != "\t" }) }
        guard let schema = versions.max() else {
            throw StartFailure("\(path) is no backup of Let's Switch: it has no version of the schema.")
        }
        guard schema <= Migrations.all.count else {
            throw StartFailure(
                "The backup has version \(schema) of the schema, and this program knows "
                    + "\(Migrations.all.count): use a newer program.")
        }
    }

    private func restore(
        to database: PostgresConfiguration, on connection: PostgresConnection, by program: String
    ) async throws {
        try await RestoreMark.set(on: connection)
        do {
            // All objects belong to the user who connects. Only a superuser may write the comments of
            // extensions, so they are left out. The address is in the environment alone.
            let arguments = [
                "--dbname=postgresql://", "--single-transaction", "--exit-on-error", "--no-owner",
                "--no-privileges", "--no-comments", "--no-password", "--verbose", archive,
            ]
            try await PostgresProgram.run(program, arguments, try database.programEnvironment())
        } catch {
            // The rows came in one transaction, so there are none, unless it was its end that failed.
            try? await shielded {
                guard try await DatabaseContents.examples(on: connection) == nil else { return }
                try await RestoreMark.remove(on: connection)
            }
            throw error
        }
        try await finish(on: connection)
        PostgresProgram.say("counting rows")
        try await DatabaseContents.analyse(on: connection)
        PostgresProgram.say("Restored \(path).")
        if withoutDeliveries {
            PostgresProgram.say("All endpoints are disabled: nothing is sent to anybody.")
        }
    }

    /// Brings the schema up to date, lets the ids jump, and removes the mark.
    private func finish(on connection: PostgresConnection) async throws {
        for migration in try await Migrations.migrator().apply(on: connection) {
            PostgresProgram.say("migrated to version \(migration.version) of the schema")
        }
        try await connection.withStatementTimeout(Self.statementLimit) { connection in
            try await IdentifierJump.make(on: connection) { connection in
                if withoutDeliveries { try await DeliverySilence.impose(on: connection) }
                try await RestoreMark.remove(on: connection)
            }
        }
    }
}
