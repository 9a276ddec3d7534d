package import Contract
package import Postgres

/// Reads and changes the registrations of one user.
package enum UserRegistrations {
    /// The slot of a registration.
    package struct Span: Sendable {
        /// The key of the slot.
        package let startsAt: Timestamp
        package let endsAt: Timestamp
        package let isCancelled: Bool
    }

    private static let one = """
        SELECT \(RegistrationRow.columns)
        FROM \(RegistrationRow.all)
        WHERE registration.id = $1 AND registration.user_id = $2
        """

    private static let span = """
        SELECT starts_at, ends_at, cancelled_at IS NOT NULL
        FROM registrations JOIN slots USING (starts_at)
        WHERE id = $1 AND user_id = $2
        """

    /// Changes the task until the room opens; the partners in a room were told the task, so it stays. `$6` is
    /// the latest start whose room is due to open.
    private static let update = """
        UPDATE registrations SET
            task = coalesce($3, task),
            tag = CASE WHEN $4::bool THEN $5 ELSE tag END,
            updated_at = $7
        WHERE id = $1 AND user_id = $2 AND cancelled_at IS NULL AND starts_at > $6
            AND NOT EXISTS (SELECT FROM members WHERE registration_id = $1)
        """

    private static let changeIntent = """
        INSERT INTO intents (registration_id, favourites_only, quiet)
        VALUES ($1, coalesce($2, false), coalesce($3, false))
        ON CONFLICT (registration_id) DO UPDATE SET
            favourites_only = coalesce($2, intents.favourites_only), quiet = coalesce($3, intents.quiet)
        """

    private static let cancel = """
        UPDATE registrations SET cancelled_at = $3, updated_at = $3 WHERE id = $1 AND user_id = $2
        """

    /// Reads registrations, with the keys of their slots, in the order of the slots. `from` is included, `to`
    /// is not; nil sets no bound.
    package static func page(
        of user: Identifier, from: Timestamp?, to: Timestamp?, state: RegistrationState?,
        after: (startsAt: Timestamp, id: Identifier)?, limit: Int, in pool: PostgresPool
    ) async throws(PostgresError) -> [(key: Timestamp, registration: Registration)] {
        var parameters: [any PostgresEncodable] = [user]
        func next(_ value: any PostgresEncodable) -> String {
            parameters.append(value)
            return "$\(parameters.count)"
        }
        // Only the conditions that are asked for: a plan for `$2 IS NULL OR …` would be made each time.
        var conditions = ["registration.user_id = $1"]
        if let from { conditions.append("registration.starts_at >= \(next(from))") }
        if let to { conditions.append("registration.starts_at < \(next(to))") }
        if let state { conditions.append("\(RegistrationRow.state()) = \(next(state.rawValue))") }
        if let after {
            let place = "(\(next(after.startsAt)), \(next(after.id)))"
            conditions.append("(registration.starts_at, registration.id) > \(place)")
        }
        let page = """
            SELECT \(RegistrationRow.columns)
            FROM \(RegistrationRow.all)
            WHERE \(conditions.joined(separator: " AND "))
            ORDER BY registration.starts_at, registration.id
            LIMIT \(next(Int64(limit)))
            """
        let rows = try await pool.query(page, parameters, retrying: true)
        return try rows.map { row throws(PostgresError) in
            (try RegistrationRow.key(row), try RegistrationRow.read(row))
        }
    }

    /// Returns nil if the user has no such registration. With `locking` no other transaction changes it
    /// before the end of this one.
    package static func find(
        _ id: Identifier, of user: Identifier, locking: Bool = false, in source: some RowSource
    ) async throws(PostgresError) -> Registration? {
        let sql = locking ? one + " FOR NO KEY UPDATE OF registration" : one
        return try await source.rows(sql, [id, user]).first.map(RegistrationRow.read)
    }

    /// Returns nil where the user has no such registration.
    package static func findSpan(
        _ id: Identifier, of user: Identifier, in source: some RowSource
    ) async throws(PostgresError) -> Span? {
        try await source.rows(span, [id, user]).first?.read(Span.init(startsAt:endsAt:isCancelled:))
    }

    /// Changes task, tag and intent. Returns false where the room is due to open, or the registration is
    /// cancelled. A caller that changes the intent holds the lock of the slot, so that no match has read the
    /// one before.
    package static func change(
        _ id: Identifier, of user: Identifier, _ patch: RegistrationPatch, opensAfter opening: Timestamp,
        at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        let parameters: [any PostgresEncodable] = [
            id, user, patch.task, patch.tag != .keep, patch.tag.applied(to: nil), opening, now,
        ]
        guard try await connection.execute(update, parameters) > 0 else { return false }
        if patch.changesIntent {
            try await connection.query(changeIntent, [id, patch.with.map { $0 == .favourites }, patch.quiet])
            try await SlotNotes.add(of: id, on: connection)
        }
        return true
    }

    /// Marks the registration as cancelled. The caller holds the lock of its slot.
    package static func cancel(
        _ id: Identifier, of user: Identifier, at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(cancel, [id, user, now])
    }
}
