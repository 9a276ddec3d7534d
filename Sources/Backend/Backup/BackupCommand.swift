import Contract
import Database
import Logging
import Postgres
import PrivatePostgres
import Reactor
import Settings

/// `letsswitch-server backup DIR`, which writes all of the database into a new folder. Servers may be running
/// meanwhile.
struct BackupCommand: Sendable {
    /// The longest time that `pg_dump` waits for a table that a migration has locked.
    private static let lockTimeout = Duration.seconds(60)

    let configuration: ServerConfiguration
    let path: String

    func run() async throws {
        try await OpenedDatabase.with(configuration, .readOfAnySchema, "backup") { database, connection in
            let path = path
            let folder = try await Self.blocking { try BackupFolder.make(path) }
            do {
                try await write(folder, database, on: connection)
            } catch {
                await BlockingThread.run { folder.discard() }
                throw error
            }
        }
    }

    private func write(
        _ folder: BackupFolder, _ database: PostgresConfiguration, on connection: PostgresConnection
    ) async throws {
        let schema = try await SchemaVersion.read(on: connection).found
        guard schema > 0 else { throw StartFailure("The database \(database) is empty.") }
        let programs = try await ClientPrograms.find(
            forServer: try await DatabaseContents.majorVersion(on: connection), to: .dump)
        let manifest = try await connection.transaction(.repeatableRead, readOnly: true) { connection in
            let snapshot = try await DatabaseContents.exportSnapshot(on: connection)
            try await dump(snapshot, to: folder, by: programs, database)
            let files = try await Self.blocking { try folder.seal() }
            return BackupManifest(
                schema: schema, postgresql: snapshot.postgresql,
                snapshot: .init(
                    takenAt: "\(snapshot.takenAt)", transactions: snapshot.transactions,
                    walPosition: snapshot.walPosition),
                files: files)
        }
        try await Self.blocking { try folder.write(manifest) }
        report(manifest)
    }

    private func dump(
        _ snapshot: DatabaseContents.Snapshot, to folder: BackupFolder, by programs: ClientPrograms,
        _ database: PostgresConfiguration
    ) async throws {
        let arguments = [
            "--format=directory", "--file=\(folder.data)", "--snapshot=\(snapshot.name)", "--no-password",
            "--lock-wait-timeout=\(Self.lockTimeout.components.seconds * 1000)", "--verbose",
        ]
        let command = ClientPrograms.command(
            programs.dump, arguments, try database.programEnvironment())
        try await PostgresProgram(
            command: command, marker: "dumping contents of table", total: snapshot.tables, verb: "saved"
        ).run()
    }

    private func report(_ manifest: BackupManifest) {
        PostgresProgram.say(
            "The backup in \(path) has version \(manifest.schema) of the schema and all that was committed "
                + "before \(manifest.snapshot.takenAt): \(manifest.bytes) bytes. Keep it like a secret.")
        let secrets = configuration.secretsOutsideDatabase
        if !secrets.isEmpty {
            PostgresProgram.say(
                "These are settings of yours, and no part of it: \(secrets.joined(separator: ", ")).")
        }
    }

    /// Runs the body on a thread of its own.
    static func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await BlockingThread.run { () throws(any Error) in try body() }
    }
}

extension ServerConfiguration {
    /// The settings with secrets that are not in the database, since the operator has set them.
    fileprivate var secretsOutsideDatabase: [String] {
        Setting.allCases.filter { $0.isSecret && $0 != .databaseURL && given[$0] != nil }.map(\.name)
    }
}
