import Contract
import Postgres
import Reactor
import Settings

/// The database for a command that runs beside servers, or without one.
enum CommandDatabase {
    /// Opens the database without migrating it, and lends a pool and the time of the database to the body.
    static func run<Value: Sendable>(
        _ configuration: ServerConfiguration, _ name: String,
        _ body: @Sendable (PostgresPool, Timestamp) async throws -> Value
    ) async throws -> Value {
        let group = try EventLoopGroup(count: 1, name: name)
        defer { group.shutdown() }
        let database = try await OpenedDatabase.openToRead(configuration, on: group.loops[0])
        let pool = PostgresPool(database.configuration, on: group.loops[0])
        let result = await Result {
            let clock = ReferenceClock()
            try await clock.begin(on: pool)
            return try await body(pool, clock.now())
        }
        await pool.shutdown()
        await database.close()
        return try result.get()
    }
}
