/// A migrator that brings a database's schema up to date while servers use it. Any number of programs may run
/// one at the same time: one works, the others wait.
///
/// No statement waits for a lock for longer than `lockTimeout`, since other sessions queue behind it; the
/// statement is tried again after a pause, and every tenth try waits for `longLockTimeout`. A statement that
/// PostgreSQL runs concurrently blocks no session, and so may wait longer.
package struct Migrator: Sendable {
    /// The time limit for one migration, and for waiting until another program has finished its own.
    package static let timeout = Duration.seconds(24 * 3600)
    /// The usual lock timeout. It is shorter than PostgreSQL's `deadlock_timeout`: if a migration and a
    /// server wait for each other, the migration gives way.
    static let lockTimeout = Duration.milliseconds(500)
    /// The lock timeout of every tenth attempt. It is longer than `deadlock_timeout`, which is a second by
    /// default: PostgreSQL cancels a blocking autovacuum only after that wait.
    static let longLockTimeout = Duration.milliseconds(1500)
    static let triesPerLongOne = 10
    /// The number of attempts at a migration while other sessions hold a lock.
    static let lockAttempts = 70
    /// The pause after the first attempt. It grows by this much with each attempt, up to `longestPause`.
    static let shortestPause = Duration.milliseconds(250)
    static let longestPause = Duration.seconds(5)

    /// The advisory lock that every program takes to migrate this schema.
    private static let lock: Int64 = 0x6c65_7473_7377_6975
    /// The advisory lock of the first programs, which wait for it inside a statement: an index that is
    /// created concurrently would wait for them. It is held for the sealed migrations only.
    private static let sealedLock: Int64 = 0x6c65_7473_7377_6974

    private let migrations: [Migration]
    private let sealed: Int
    private let served: Int
    private let pause: @Sendable (Duration) async throws -> Void
    private let waits: @Sendable (MigrationWait) -> Void

    /// Creates a migrator for migrations in the order of their versions, from 1 on without gaps.
    ///
    /// Migrations up to `sealed` are noted in the table of the first programs, which refuse a database with a
    /// later one in that table, though they work on it. A program that knows the first `served` migrations
    /// works on the database after all of these. `waits` is called after every tenth attempt.
    package init(
        _ migrations: [Migration], sealed: Int = 0, served: Int = .max,
        pause: @escaping @Sendable (Duration) async throws -> Void = {
            try await ContinuousClock().sleep(for: $0)
        },
        waits: @escaping @Sendable (MigrationWait) -> Void = { _ in }
    ) throws(MigrationError) {
        for (index, migration) in migrations.enumerated() where migration.version != index + 1 {
            throw .outOfOrder(version: migration.version)
        }
        self.migrations = migrations
        self.sealed = sealed
        self.served = served
        self.pause = pause
        self.waits = waits
    }

    /// Applies the missing migrations, and returns them. The connection has no open transaction while it
    /// waits for another program: an index that is created concurrently waits for every open transaction.
    @discardableResult
    package func apply(on connection: PostgresConnection) async throws -> [Migration] {
        do {
            return try await connection.withStatementTimeout(Self.timeout) { connection in
                try await holding(Self.lock, on: connection) {
                    try await limitLocks(Self.lockTimeout, on: connection)
                    let first = try await pending(on: connection)
                    var applied: [Migration] = []
                    if first.contains(where: { $0.version <= sealed }) {
                        applied = try await holding(Self.sealedLock, on: connection) {
                            try await run(
                                pending(on: connection).filter { $0.version <= sealed }, on: connection)
                        }
                    }
                    return try await applied + run(pending(on: connection), on: connection)
                }
            }
        } catch let error as PostgresError {
            throw MigrationError.database(error)
        }
    }

    private func pending(on connection: PostgresConnection) async throws -> [Migration] {
        try await patiently(on: connection) { try await connection.simple(Self.tables) }
        return try check(try await status(on: connection))
    }

    private func run(
        _ migrations: [Migration], on connection: PostgresConnection
    ) async throws -> [Migration] {
        for migration in migrations {
            do {
                try await run(migration, on: connection)
            } catch let error as PostgresError {
                throw MigrationError.failed(version: migration.version, name: migration.name, error)
            }
        }
        return migrations
    }

    /// Returns the migrations to apply; throws if the applied ones contradict the list.
    private func check(_ status: MigrationStatus) throws(MigrationError) -> [Migration] {
        if let version = status.unknown.first { throw .unknown(version: version) }
        if let first = status.changed.first { throw .changed(version: first.version, name: first.name) }
        let applied = migrations.count - status.pending.count
        if let first = status.pending.first, first.version <= applied {
            throw .skipped(version: first.version, name: first.name)
        }
        return status.pending
    }

    private func run(_ migration: Migration, on connection: PostgresConnection) async throws {
        guard let parts = migration.parts else {
            return try await patiently(migration, on: connection) {
                try await connection.transaction { connection in
                    try await connection.simple(migration.sql)
                    try await note(migration, on: connection)
                }
            }
        }
        for part in parts {
            guard let index = part.index else {
                try await patiently(migration, on: connection) { try await connection.simple(part.sql) }
                continue
            }
            try await limitLocks(Self.timeout, on: connection)
            if try await isInvalid(index, on: connection) {
                try await connection.simple("DROP INDEX CONCURRENTLY \(index)")
            }
            try await connection.simple(part.sql)
            try await limitLocks(Self.lockTimeout, on: connection)
        }
        try await note(migration, on: connection)
    }

    /// Runs the body again, after growing pauses, while it fails because another session holds a lock.
    private func patiently(
        _ migration: Migration? = nil, on connection: PostgresConnection, _ body: () async throws -> Void
    ) async throws {
        for attempt in 1..<Self.lockAttempts {
            let isLong = attempt.isMultiple(of: Self.triesPerLongOne)
            if isLong { try await limitLocks(Self.longLockTimeout, on: connection) }
            do {
                try await body()
                if isLong { try await limitLocks(Self.lockTimeout, on: connection) }
                return
            } catch let error as PostgresError
                where error.sqlState == .lockNotAvailable || error.sqlState == .deadlockDetected
            {
                if isLong {
                    try await limitLocks(Self.lockTimeout, on: connection)
                    let holders = try await MigrationWait.holders(on: connection)
                    waits(MigrationWait(version: migration?.version, tries: attempt, holders: holders))
                }
                try await pause(min(Self.shortestPause * attempt, Self.longestPause))
            }
        }
        try await body()
    }

    /// Whether the index exists and is invalid. An index that is created concurrently is invalid until it is
    /// complete, and stays so if its creation was cut off.
    private func isInvalid(_ index: String, on connection: PostgresConnection) async throws -> Bool {
        try await !connection.query(
            "SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid", [index]
        ).isEmpty
    }

    private func limitLocks(
        _ limit: Duration, on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.simple("SET lock_timeout = \(limit.wholeMilliseconds)")
    }

    private func holding(
        _ lock: Int64, on connection: PostgresConnection, _ body: () async throws -> [Migration]
    ) async throws -> [Migration] {
        while try await !connection.query("SELECT pg_try_advisory_lock($1)", [lock])[0].decode(0, Bool.self) {
            try await pause(.seconds(1))
        }
        let applied: [Migration]
        do {
            applied = try await body()
        } catch {
            await release(lock, on: connection)
            throw error
        }
        await release(lock, on: connection)
        return applied
    }

    /// Releases the lock. A connection that fails to do so is closed, which releases it too.
    private func release(_ lock: Int64, on connection: PostgresConnection) async {
        do throws(PostgresError) {
            try await connection.query("SELECT pg_advisory_unlock($1)", [lock])
            if lock == Self.lock {
                try await limitLocks(connection.configuration.lockTimeout, on: connection)
            }
        } catch {
            await connection.close()
        }
    }
}

// The record of applied migrations in the database.
extension Migrator {
    private static let tables = """
        CREATE TABLE IF NOT EXISTS schema_migrations (
            version int PRIMARY KEY,
            name text NOT NULL,
            checksum text NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT now()
        );
        CREATE TABLE IF NOT EXISTS schema_versions (
            version int PRIMARY KEY,
            name text NOT NULL,
            checksum text NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT now(),
            -- A program works on the schema that knows so many migrations.
            served int NOT NULL
        )
        """

    /// Returns the query that compares applied migrations with the list: `$1` are the versions, `$2` their
    /// texts, `$3` the number of migrations that this program knows.
    private static func compare(hasVersions: Bool) -> String {
        let versions = "SELECT version, checksum, served FROM schema_versions UNION ALL"
        return """
            SELECT version, applied.checksum = listed.checksum, applied.served <= $3
            FROM (
                \(hasVersions ? versions : "")
                SELECT version, checksum, \(Int32.max) FROM schema_migrations
            ) AS applied (version, checksum, served)
            FULL JOIN (
                SELECT version, encode(sha256(convert_to(sql, 'UTF8')), 'hex') AS checksum
                FROM unnest($1::int8[], $2::text[]) AS migration (version, sql)
            ) AS listed USING (version)
            WHERE applied.version IS NOT NULL
            ORDER BY version
            """
    }

    /// Returns the status of the database, and changes nothing.
    package func status(on connection: PostgresConnection) async throws(PostgresError) -> MigrationStatus {
        let present = try await connection.query(
            "SELECT to_regclass('schema_versions') IS NOT NULL, to_regclass('schema_migrations') IS NOT NULL")
        let (hasVersions, hasMigrations) = try present[0].decode(Bool.self, Bool.self)
        guard hasMigrations else {
            return MigrationStatus(pending: migrations, changed: [], unknown: [], later: [])
        }
        let rows = try await connection.query(
            Self.compare(hasVersions: hasVersions),
            [migrations.map(\.version), migrations.map(\.sql), Int32(clamping: migrations.count)])
        var same: [Int: Bool] = [:]
        var unknown: [Int] = []
        var later: [Int] = []
        for row in rows {
            let (version, isSame, isServed) = try row.decode(Int.self, Bool?.self, Bool?.self)
            same[version] = isSame
            guard isSame == nil else { continue }
            if isServed == true { later.append(version) } else { unknown.append(version) }
        }
        return MigrationStatus(
            pending: migrations.filter { same[$0.version] == nil },
            changed: migrations.filter { same[$0.version] == false }, unknown: unknown, later: later)
    }

    private func note(
        _ migration: Migration, on connection: PostgresConnection
    ) async throws(PostgresError) {
        let version = Int32(clamping: migration.version)
        let checksum = "encode(sha256(convert_to($3, 'UTF8')), 'hex')"
        if migration.version <= sealed {
            try await connection.execute(
                "INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, \(checksum))",
                [version, migration.name, migration.sql])
        } else {
            try await connection.execute(
                """
                INSERT INTO schema_versions (version, name, checksum, served)
                VALUES ($1, $2, \(checksum), $4)
                """,
                [version, migration.name, migration.sql, Int32(clamping: min(served, migration.version))])
        }
    }
}
