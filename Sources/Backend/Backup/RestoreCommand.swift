import Contract
import Database
import Logging
import Postgres
import PrivatePostgres
import Reactor
import Settings

/// `letsswitch-server restore DIR`, which brings a backup into an empty database: all of it, or nothing.
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

    func run() async throws {
        let folder = BackupFolder(path: path)
        let manifest = try await BackupCommand.blocking { try folder.manifest() }
        guard manifest.schema <= Migrations.all.count else {
            throw StartFailure(
                "The backup has version \(manifest.schema) of the schema, and this program knows "
                    + "\(Migrations.all.count): use a newer program.")
        }
        PostgresProgram.say("checking \(counted(manifest.files.count, "file")) of \(manifest.bytes) bytes")
        try await BackupCommand.blocking { try folder.check(manifest) }
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
            PostgresProgram.say("restoring into \(place)")
            try await restore(manifest, in: folder, to: database, on: connection)
        }
    }

    private func restore(
        _ manifest: BackupManifest, in folder: BackupFolder, to database: PostgresConfiguration,
        on connection: PostgresConnection
    ) async throws {
        let major = try await DatabaseContents.majorVersion(on: connection)
        let programs = try await ClientPrograms.find(forServer: major, to: .restore)
        try await RestoreMark.set(on: connection)
        do {
            try await fill(database, from: folder, manifest, by: programs)
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
        PostgresProgram.say("Restored what was committed before \(manifest.snapshot.takenAt).")
        if withoutDeliveries {
            PostgresProgram.say("All endpoints are disabled: nothing is sent to anybody.")
        }
    }

    private func fill(
        _ database: PostgresConfiguration, from folder: BackupFolder, _ manifest: BackupManifest,
        by programs: ClientPrograms
    ) async throws {
        // All objects belong to the user who connects. Only a superuser may write the comments of extensions,
        // so they are left out. The address is in the environment alone.
        let arguments = [
            "--dbname=postgresql://", "--single-transaction", "--exit-on-error", "--no-owner",
            "--no-privileges", "--no-comments", "--no-password", "--verbose", folder.data,
        ]
        let tables = manifest.files.count { $0.name != "toc.dat" }
        try await PostgresProgram(
            command: ClientPrograms.command(
                programs.restore, arguments, try database.programEnvironment()),
            marker: "processing data for table", total: tables, verb: "restored"
        ).run()
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
