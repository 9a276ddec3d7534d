import Database
import Logging
import Postgres
import PrivatePostgres
import Reactor
import Settings

/// The database that a command works on: the operator's, or a private cluster that is started for it.
struct OpenedDatabase: Sendable {
    let configuration: PostgresConfiguration
    private let cluster: PrivateCluster?

    /// Opens the database: waits until it is reachable, and brings its schema up to date.
    static func open(_ configuration: ServerConfiguration, on loop: EventLoop) async throws -> OpenedDatabase
    {
        try await starting(configuration) { database in
            try await database.migrate(on: loop, separatingSessions: !configuration.slotLengths.isEmpty)
        }
    }

    /// Opens the database for a command that only reads, beside servers or without one. It migrates nothing,
    /// and waits for nothing: throws `StartFailure` if the database is not reached, or if the schema is not
    /// the one that this program knows.
    ///
    /// A private database that a server runs is reached through its socket. If no server runs, it is started
    /// for the time of the command; one that does not exist is not created.
    ///
    /// With `anySchema` a schema is read too that this program does not work on.
    static func openToRead(
        _ configuration: ServerConfiguration, on loop: EventLoop, anySchema: Bool = false
    ) async throws -> OpenedDatabase {
        let (url, cluster) = try await reading(configuration)
        do {
            let database = OpenedDatabase(
                configuration: try PostgresConfiguration(url: url), cluster: cluster)
            let connection = try await database.connectOnce(on: loop)
            let fault = await Result { try await Self.fault(of: connection, anySchema: anySchema) }
            await connection.close()
            if let fault = try fault.get() { throw StartFailure(fault) }
            return database
        } catch {
            await shielded { await cluster?.stop() }
            throw error
        }
    }

    /// Opens a database that is to be filled: the operator's, or a private cluster, which is made if there is
    /// none. It migrates nothing, and waits for nothing. A private database that a server runs is refused.
    static func openToFill(_ configuration: ServerConfiguration, on loop: EventLoop) async throws
        -> OpenedDatabase
    {
        try await starting(configuration) { database in
            let connection = try await database.connectOnce(on: loop)
            let fitness = await Result { try await DatabaseFitness.read(on: connection) }
            await connection.close()
            let found = try fitness.get()
            if let fault = found.encodingFault ?? found.grantFault { throw StartFailure(fault) }
        }
    }

    /// The purpose for which a command opens a database: see `openToRead` and `openToFill`.
    enum Purpose { case read, readOfAnySchema, fill }

    /// Opens the database, lends it with a connection to the body, and closes both, also when the body
    /// throws. The loop for it has that name. A transaction on the connection may be idle for any time, as
    /// while another program works.
    static func with<Value: Sendable>(
        _ configuration: ServerConfiguration, _ purpose: Purpose, _ name: String,
        _ body: (PostgresConfiguration, PostgresConnection) async throws -> Value
    ) async throws -> Value {
        let group = try EventLoopGroup(count: 1, name: name)
        defer { group.shutdown() }
        let loop = group.loops[0]
        let database =
            switch purpose {
            case .read: try await openToRead(configuration, on: loop)
            case .readOfAnySchema: try await openToRead(configuration, on: loop, anySchema: true)
            case .fill: try await openToFill(configuration, on: loop)
            }
        let result = await Result {
            var patient = database.configuration
            patient.idleInTransactionTimeout = .zero
            let connection = try await PostgresConnection.connect(patient, on: loop)
            let result = await Result { try await body(database.configuration, connection) }
            await connection.close()
            return try result.get()
        }
        await shielded { await database.close() }
        return try result.get()
    }

    /// Starts the private database, if it is one, and stops it again if the preparation fails.
    private static func starting(
        _ configuration: ServerConfiguration, _ prepare: (OpenedDatabase) async throws -> Void
    ) async throws -> OpenedDatabase {
        let cluster =
            configuration.databaseURL == nil
            ? try await PrivateCluster.start(dataDirectory: configuration.dataDirectory) : nil
        do {
            let url = configuration.databaseURL ?? cluster?.databaseURL ?? ""
            let database = OpenedDatabase(
                configuration: try PostgresConfiguration(url: url), cluster: cluster)
            try await prepare(database)
            return database
        } catch {
            await shielded { await cluster?.stop() }
            throw error
        }
    }

    private static func fault(of connection: PostgresConnection, anySchema: Bool) async throws -> String? {
        if try await RestoreMark.isSet(on: connection) { return RestoreMark.fault }
        return anySchema ? nil : try await SchemaVersion.read(on: connection).fault
    }

    private static func reading(
        _ configuration: ServerConfiguration
    ) async throws -> (url: String, cluster: PrivateCluster?) {
        if let url = configuration.databaseURL { return (url, nil) }
        let folder = configuration.dataDirectory
        if let url = try await PrivateCluster.running(dataDirectory: folder) { return (url, nil) }
        guard try await PrivateCluster.isMade(dataDirectory: folder) else {
            throw StartFailure(
                "There is no private database in DATA_DIR=\(folder). Name the server's DATA_DIR, or "
                    + "DATABASE_URL."
            )
        }
        let cluster = try await PrivateCluster.start(dataDirectory: folder)
        return (cluster.databaseURL, cluster)
    }

    /// Keeps a private database running until the task is cancelled; the operator keeps any other database
    /// running.
    func keepRunning() async { await cluster?.keepRunning() }

    /// Runs the body again until it succeeds or fails for good: it waits for a database that is unreachable
    /// meanwhile. The log names the database if it is given.
    static func patiently<Value: Sendable>(
        naming database: PostgresConfiguration? = nil, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        var attempt = 0
        while true {
            do {
                return try await body()
            } catch {
                guard let failure = error as? PostgresError, failure.meansUnavailable || failure.isRetryable
                else { throw error }
                attempt += 1
                if attempt == 1 || attempt % 10 == 0 {
                    Log.warning(
                        "waiting for the database",
                        database.map { ["database": $0, "error": failure] } ?? ["error": failure])
                }
            }
            try await ContinuousClock().sleep(for: .milliseconds(min(200 * attempt, 2_000)))
        }
    }

    func close() async { await cluster?.stop() }

    /// Applies the migrations, and makes the constraint by which sessions of several lengths are kept apart.
    /// If the connection breaks, the next one does the rest. A database with the mark of a restore is
    /// refused.
    private func migrate(on loop: EventLoop, separatingSessions: Bool) async throws {
        while true {
            let connection = try await Self.patiently(naming: configuration) {
                try await PostgresConnection.connect(configuration, on: loop)
            }
            do {
                try await openSecond(beside: connection, on: loop)
                let fitness = try await DatabaseFitness.read(on: connection)
                if let fault = fitness.encodingFault { throw StartFailure(fault) }
                if try await RestoreMark.isSet(on: connection) { throw StartFailure(RestoreMark.fault) }
                let migrator = try Migrations.migrator()
                for migration in try await migrator.apply(on: connection) {
                    Log.info("migrated", ["version": "\(migration.version)", "name": migration.name])
                }
                if let last = try await migrator.status(on: connection).later.last {
                    Log.warning(
                        "the database was migrated by a newer version, which still serves this one",
                        ["found": last, "known": Migrations.all.count])
                }
                if separatingSessions { try await Self.separateSessions(on: connection) }
                return await connection.close()
            } catch {
                let grantFault = await Self.grantFault(on: connection, after: error)
                await connection.close()
                if let grantFault { throw StartFailure(grantFault) }
                guard let failure = error as? PostgresError ?? (error as? MigrationError)?.cause,
                    failure.meansUnavailable || failure.isRetryable
                else { throw error }
                Log.warning("migration failed; retrying", ["error": "\(error)"])
            }
            try await ContinuousClock().sleep(for: .milliseconds(200))
        }
    }

    /// Returns the grant that the role needs, if its want was the reason of the error.
    private static func grantFault(on connection: PostgresConnection, after error: any Error) async -> String?
    {
        switch (error as? MigrationError)?.cause?.sqlState {
        case .insufficientPrivilege, .invalidSchemaName:
            return try? await DatabaseFitness.read(on: connection).grantFault
        default: return nil
        }
    }

    /// Opens another session behind a pooler, while the first one is idle. If the pooler shares sessions
    /// between clients, it gives the second client that of the first one, which fails.
    private func openSecond(beside first: PostgresConnection, on loop: EventLoop) async throws {
        guard await first.isPooled else { return }
        await (try await PostgresConnection.connect(configuration, on: loop)).close()
    }

    private static func separateSessions(on connection: PostgresConnection) async throws {
        try await RegistrationSpans.prepare(on: connection)
        let older = try await ServerDirectory.olderServers(on: connection)
        if older > 0 {
            Log.warning(
                "servers of an older version know no SLOT_LENGTHS: replace them", ["servers": older])
        }
    }

    private func connectOnce(on loop: EventLoop) async throws -> PostgresConnection {
        do throws(PostgresError) {
            return try await PostgresConnection.connect(configuration, on: loop)
        } catch {
            guard error.meansUnavailable else { throw error }
            throw StartFailure("The database \(configuration) cannot be reached: \(error).")
        }
    }
}
