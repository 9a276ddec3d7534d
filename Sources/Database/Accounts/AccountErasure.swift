package import Contract
package import Postgres

/// Removes the rows of accounts that are marked deleted, in batches of a transaction each. Every server may
/// do so: the lock of an account's row keeps the others from it.
package struct AccountErasure: Sendable {
    package enum Outcome: Equatable, Sendable {
        /// Rows of the account were removed, and there may be more.
        case removed(Identifier, rows: Int)
        /// Nothing of the account is left.
        case finished(Identifier)
        /// Other transactions hold the rows that are left.
        case waits(Identifier)
        /// A statement failed with that error; nothing of the account was removed by it.
        case failed(Identifier, error: String)
    }

    package let pool: PostgresPool
    package let now: CurrentTime
    /// The number of rows of one table in a batch.
    var size: Int64 = 500

    package init(pool: PostgresPool, now: @escaping CurrentTime, size: Int64 = 500) {
        self.pool = pool
        self.now = now
        self.size = size
    }

    private static let next = """
        SELECT id FROM users
        WHERE deleted_at IS NOT NULL AND ($1::uuid IS NULL OR id > $1) AND id <> ALL ($2::uuid[])
        ORDER BY id LIMIT 1
        FOR NO KEY UPDATE SKIP LOCKED
        """

    private static let registrations = """
        SELECT id FROM registrations WHERE user_id = $1 ORDER BY starts_at LIMIT $2 FOR UPDATE SKIP LOCKED
        """

    /// The rows of an account in one table.
    private struct Remains {
        let find: String
        let remove: String

        /// Rows that are removed. `SKIP LOCKED`: a transaction that holds one may wait for others of the
        /// batch.
        init(_ table: String, _ condition: String, order: String = "") {
            find = "SELECT FROM \(table) WHERE \(condition) LIMIT 1"
            remove = """
                DELETE FROM \(table) WHERE ctid = ANY(ARRAY(
                    SELECT ctid FROM \(table) WHERE \(condition) \(order) LIMIT $2
                    FOR UPDATE SKIP LOCKED))
                """
        }

        /// Rows of a table in partitions, which has an index of the endpoint and the id.
        init(partitioned table: String, _ condition: String) {
            find = "SELECT FROM \(table) WHERE \(condition) LIMIT 1"
            remove = """
                DELETE FROM \(table)
                WHERE endpoint_id = ANY(ARRAY(SELECT id FROM endpoints WHERE user_id = $1))
                    AND id = ANY(ARRAY(
                        SELECT id FROM \(table) WHERE \(condition) LIMIT $2 FOR UPDATE SKIP LOCKED))
                """
        }

        /// Rows that stay, without the account.
        init(_ table: String, erasing column: String) {
            find = "SELECT FROM \(table) WHERE \(column) = $1 LIMIT 1"
            remove = """
                UPDATE \(table) SET \(column) = NULL WHERE ctid = ANY(ARRAY(
                    SELECT ctid FROM \(table) WHERE \(column) = $1 LIMIT $2 FOR UPDATE SKIP LOCKED))
                """
        }
    }

    /// The rows that name the account, once its registrations are erased. First come rows that `verify`
    /// compares with later ones, then the rows by which others name the account, then all of `AccountData`,
    /// in reverse order.
    private static let remains =
        [
            Remains("past_sums", "user_id = $1"),
            Remains("notifications", "user_id = $1", order: "ORDER BY id"),
            Remains("blocks", "other_id = $1"), Remains("favourites", "other_id = $1"),
            Remains("reports", erasing: "about_id"),
        ]
        + AccountData.tables.reversed().compactMap { table in
            switch (table.owner, table.removal) {
            case (.account, _), (_, .erased), (_, .kept), (.through("registrations", _), _): nil
            case (.through("endpoints", _), _) where table.name != "retired_secrets":
                Remains(partitioned: table.name, table.condition)
            case (_, .deleted), (_, .cascades): Remains(table.name, table.condition)
            }
        }

    /// The statements for registrations `$1`: rows that belong to one registration go with it. Registrations
    /// that others met stay, without user, task and tag.
    private static let forgetting =
        [
            "DELETE FROM session_words WHERE registration_id = ANY($1::uuid[])",
            "DELETE FROM left_alone WHERE registration_id = ANY($1::uuid[])",
            """
            DELETE FROM notifications
            WHERE registration_id = ANY($1::uuid[])
                AND NOT EXISTS (
                    SELECT FROM members WHERE members.registration_id = notifications.registration_id)
            """,
        ]
        + AccountData.tables.reversed().compactMap { table in
            switch (table.owner, table.removal) {
            case (.through("registrations", let column), .deleted):
                "DELETE FROM \(table.name) WHERE \(column) = ANY($1::uuid[])"
            default: nil
            }
        } + [
            """
            DELETE FROM registrations
            WHERE id = ANY($1::uuid[]) AND NOT EXISTS (SELECT FROM members WHERE registration_id = id)
            """
        ]

    /// A server of the previous release may have registered the account again; that is cancelled.
    private static let erase = """
        UPDATE registrations SET \(AccountData.table("registrations")?.erasure ?? ""), updated_at = $2,
            cancelled_at = CASE WHEN ends_at > $2 THEN coalesce(cancelled_at, $2) ELSE cancelled_at END
        FROM slots
        WHERE slots.starts_at = registrations.starts_at AND registrations.id = ANY($1::uuid[])
        """

    private static let hasRegistration = "SELECT FROM registrations WHERE user_id = $1 LIMIT 1"

    /// Deletes the account itself.
    private static let deleteUser = "DELETE FROM users WHERE id = $1"

    /// Selects the number of accounts that are marked, and the time of the oldest mark.
    static let waiting = """
        SELECT count(*), min(deleted_at) FROM users WHERE deleted_at IS NOT NULL
        """

    /// Removes one batch of the next marked account after `last` that no other server works on, and that is
    /// not among `others`. Returns nil if there is none.
    package func step(
        after last: Identifier?, except others: Set<Identifier> = []
    ) async throws -> Outcome? {
        var user: Identifier?
        do {
            return try await pool.transaction(attempts: 3) { connection in
                guard let row = try await connection.query(Self.next, [last, others.sorted()]).first else {
                    return nil
                }
                let found = try row.decode(0, Identifier.self)
                user = found
                return try await step(found, on: connection)
            }
        } catch {
            guard let user, !Task.isCancelled else { throw error }
            return .failed(user, error: "\(error)")
        }
    }

    private func step(_ user: Identifier, on connection: PostgresConnection) async throws -> Outcome {
        let registrations: [Identifier] = try await connection.query(Self.registrations, [user, size])
            .column()
        if !registrations.isEmpty {
            for statement in Self.forgetting { try await connection.query(statement, [registrations]) }
            try await connection.query(Self.erase, [registrations, now()])
            return .removed(user, rows: registrations.count)
        }
        if try await !connection.query(Self.hasRegistration, [user]).isEmpty { return .waits(user) }
        for remains in Self.remains {
            let rows = try await connection.execute(remains.remove, [user, size])
            if rows > 0 { return .removed(user, rows: rows) }
            // Rows go before the rows that they refer to.
            if try await !connection.query(remains.find, [user]).isEmpty { return .waits(user) }
        }
        return try await connection.execute(Self.deleteUser, [user]) == 1 ? .finished(user) : .waits(user)
    }
}
