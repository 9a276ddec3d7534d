import Postgres
import Reactor

/// The database that a command works on: the operator's, or a private cluster that is started for it.
struct Database: Sendable {
    let configuration: PostgresConfiguration
    private let cluster: PrivateCluster?

    /// Waits for a database that is not there yet, and brings its schema up to date.
    static func open(_ configuration: ServerConfiguration, on loop: EventLoop) async throws -> Database {
        let cluster =
            configuration.databaseURL == nil
            ? try await PrivateCluster.start(dataDirectory: configuration.dataDirectory) : nil
        do {
            let url = configuration.databaseURL ?? cluster?.databaseURL ?? ""
            let database = Database(configuration: try PostgresConfiguration(url: url), cluster: cluster)
            try await database.migrate(on: loop)
            return database
        } catch {
            await Task { await cluster?.stop() }.value
            throw error
        }
    }

    /// Until the task is cancelled; a database of the operator's is the operator's to keep running.
    func keepRunning() async { await cluster?.keepRunning() }

    /// Does what a start needs as often as it takes: a database that goes away meanwhile is waited for.
    static func patiently<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
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
                    Log.warning("waiting for the database", ["error": "\(failure)"])
                }
            }
            try await ContinuousClock().sleep(for: .milliseconds(min(200 * attempt, 2_000)))
        }
    }

    func close() async { await cluster?.stop() }

    /// What a connection that breaks has left is done by the next one.
    private func migrate(on loop: EventLoop) async throws {
        while true {
            let connection = try await connect(on: loop)
            do {
                for migration in try await Migrations.migrator().apply(on: connection) {
                    Log.info("migrated", ["version": "\(migration.version)", "name": migration.name])
                }
                return await connection.close()
            } catch {
                await connection.close()
                guard let failure = error as? PostgresError ?? (error as? MigrationError)?.cause,
                    failure.meansUnavailable || failure.isRetryable
                else { throw error }
                Log.warning("the migration is tried again", ["error": "\(error)"])
            }
            try await ContinuousClock().sleep(for: .milliseconds(200))
        }
    }

    private func connect(on loop: EventLoop) async throws -> PostgresConnection {
        var attempt = 0
        while true {
            do throws(PostgresError) {
                return try await PostgresConnection.connect(configuration, on: loop)
            } catch {
                guard error.meansUnavailable else { throw error }
                attempt += 1
                if attempt == 1 || attempt % 10 == 0 {
                    Log.warning(
                        "waiting for the database", ["database": "\(configuration)", "error": "\(error)"])
                }
            }
            try await ContinuousClock().sleep(for: .milliseconds(min(200 * attempt, 2_000)))
        }
    }
}
