/// Brings a database's schema up to date. Any number of programs may do so at once: one works, the others wait.
package struct Migrator: Sendable {
    /// For one migration, and for waiting until another program has done its own.
    package static let timeout = Duration.seconds(600)

    /// Every program that migrates this schema takes this advisory lock.
    private static let lock: Int64 = 0x6c65_7473_7377_6974

    private let migrations: [Migration]

    /// Migrations in the order of their versions, from 1 on without gaps.
    package init(_ migrations: [Migration]) throws(MigrationError) {
        for (index, migration) in migrations.enumerated() where migration.version != index + 1 {
            throw .outOfOrder(version: migration.version)
        }
        self.migrations = migrations
    }

    /// Applies what is missing, each migration in a transaction of its own; answers what it applied.
    @discardableResult
    package func apply(on connection: PostgresConnection) async throws -> [Migration] {
        do {
            return try await connection.withStatementTimeout(Self.timeout) { connection in
                try await connection.simple("SET lock_timeout = \(Self.timeout.wholeMilliseconds)")
                try await connection.query("SELECT pg_advisory_lock($1)", [Self.lock])
                let applied: [Migration]
                do {
                    applied = try await applyPending(on: connection)
                } catch {
                    await release(connection)
                    throw error
                }
                await release(connection)
                return applied
            }
        } catch let error as PostgresError {
            throw MigrationError.database(error)
        }
    }

    /// How far the database is; changes nothing.
    package func status(on connection: PostgresConnection) async throws(PostgresError) -> MigrationStatus {
        let present = try await connection.query("SELECT to_regclass('schema_migrations') IS NOT NULL")
        guard try present.first?.decode(0, Bool.self) == true else {
            return MigrationStatus(pending: migrations, changed: [], unknown: [])
        }
        let rows = try await connection.query(
            """
            SELECT version, applied.checksum = listed.checksum
            FROM schema_migrations AS applied
            FULL JOIN (
              SELECT version, encode(sha256(convert_to(sql, 'UTF8')), 'hex') AS checksum
              FROM unnest($1::int8[], $2::text[]) AS migration (version, sql)
            ) AS listed USING (version)
            WHERE applied.version IS NOT NULL
            ORDER BY version
            """, [migrations.map(\.version), migrations.map(\.sql)])
        var same: [Int: Bool] = [:]
        var unknown: [Int] = []
        for row in rows {
            let (version, isSame) = try row.decode(Int.self, Bool?.self)
            same[version] = isSame
            if isSame == nil { unknown.append(version) }
        }
        return MigrationStatus(
            pending: migrations.filter { same[$0.version] == nil },
            changed: migrations.filter { same[$0.version] == false }, unknown: unknown)
    }

    private func applyPending(on connection: PostgresConnection) async throws -> [Migration] {
        try await connection.simple(
            """
            CREATE TABLE IF NOT EXISTS schema_migrations (
              version int PRIMARY KEY,
              name text NOT NULL,
              checksum text NOT NULL,
              applied_at timestamptz NOT NULL DEFAULT now()
            )
            """)
        let pending = try check(try await status(on: connection))
        for migration in pending {
            do {
                try await connection.transaction { try await run(migration, on: $0) }
            } catch let error as PostgresError {
                throw MigrationError.failed(version: migration.version, name: migration.name, error)
            }
        }
        return pending
    }

    /// What is to be applied, where the database and the list agree on what was.
    private func check(_ status: MigrationStatus) throws(MigrationError) -> [Migration] {
        if let version = status.unknown.first { throw .unknown(version: version) }
        if let first = status.changed.first { throw .changed(version: first.version, name: first.name) }
        let applied = migrations.count - status.pending.count
        if let first = status.pending.first, first.version <= applied {
            throw .skipped(version: first.version, name: first.name)
        }
        return status.pending
    }

    private func run(_ migration: Migration, on connection: PostgresConnection) async throws(PostgresError) {
        try await connection.simple(migration.sql)
        try await connection.execute(
            """
            INSERT INTO schema_migrations (version, name, checksum)
            VALUES ($1, $2, encode(sha256(convert_to($3, 'UTF8')), 'hex'))
            """, [Int32(clamping: migration.version), migration.name, migration.sql])
    }

    /// Gives the lock back; a connection that cannot is closed, which gives it back too.
    private func release(_ connection: PostgresConnection) async {
        do throws(PostgresError) {
            try await connection.query("SELECT pg_advisory_unlock($1)", [Self.lock])
            try await connection.simple("RESET lock_timeout")
        } catch {
            await connection.close()
        }
    }
}
