import Contract
import Database
import Glibc
import Postgres
import PrivatePostgres
import Reactor
import Settings

/// `letsswitch-server backup FILE`, which writes all of the database into a new file, in the custom format of
/// `pg_dump`. Servers may be running meanwhile.
struct BackupCommand: Sendable {
    /// The longest time that `pg_dump` waits for a table that a migration has locked.
    private static let lockTimeout = Duration.seconds(60)

    let configuration: ServerConfiguration
    let path: String

    func run() async throws {
        try await OpenedDatabase.with(configuration, .readOfAnySchema, "backup") { database, connection in
            let schema = try await SchemaVersion.read(on: connection).found
            guard schema > 0 else { throw StartFailure("The database \(database) is empty.") }
            let major = try await DatabaseContents.majorVersion(on: connection)
            let program = try await ClientPrograms.find(forServer: major, to: .dump).dump
            // The snapshot of `pg_dump` is later, so it has all that was committed before this instant.
            let takenAt = try await DatabaseTime.read(on: connection)
            try create()
            do {
                try await dump(database, by: program)
            } catch {
                unlink(path)
                throw error
            }
            report(schema, takenAt)
        }
    }

    /// Creates the file, readable by its owner only.
    private func create() throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let reason = String(cString: strerror(errno))
            throw StartFailure("\(path) cannot be made: \(reason). Name a new file for the backup.")
        }
        close(file)
    }

    private func dump(_ database: PostgresConfiguration, by program: String) async throws {
        let arguments = [
            "--format=custom", "--file=\(path)", "--no-password", "--verbose",
            "--lock-wait-timeout=\(Self.lockTimeout.components.seconds * 1000)",
        ]
        try await PostgresProgram.run(program, arguments, try database.programEnvironment())
    }

    private func report(_ schema: Int, _ takenAt: Timestamp) {
        var status = stat()
        stat(path, &status)
        PostgresProgram.say(
            "The backup in \(path) has version \(schema) of the schema and all that was committed before "
                + "\(takenAt): \(status.st_size) bytes. Keep it like a secret.")
        let secrets = configuration.secretsOutsideDatabase
        if !secrets.isEmpty {
            PostgresProgram.say(
                "These are settings of yours, and no part of it: \(secrets.joined(separator: ", ")).")
        }
    }
}

extension ServerConfiguration {
    /// The settings with secrets that are not in the database, since the operator has set them.
    fileprivate var secretsOutsideDatabase: [String] {
        Setting.allCases.filter { $0.isSecret && $0 != .databaseURL && given[$0] != nil }.map(\.name)
    }
}
