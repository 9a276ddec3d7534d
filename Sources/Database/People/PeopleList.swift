package import Contract
package import Postgres

/// One of the two lists of people that a user keeps: those not to be met again, and those to be met again.
///
/// People are anonymous to each other. A user names a person by a registration that shared a room with one of
/// the user's, and any such registration of the same person names the same entry.
package enum PeopleList: Sendable {
    case blocks, favourites

    /// An entry as it is stored. Favourites have no report.
    package struct Entry: Sendable {
        package var registration: Identifier
        package var name: String
        package var createdAt: Timestamp
        package var report: String?
    }

    /// A user's request for an entry: the person that is meant, and what the user says of them.
    package struct Request: Sendable {
        package var user: Identifier
        package var registration: Identifier
        package var report: String?
        package var now: Timestamp

        package init(user: Identifier, registration: Identifier, report: String? = nil, now: Timestamp) {
            self.user = user
            self.registration = registration
            self.report = report
            self.now = now
        }
    }

    /// The number of removed entries of one user that are kept, to explain old matches.
    static let removedKept = 1000

    private var table: String {
        switch self {
        case .blocks: "blocks"
        case .favourites: "favourites"
        }
    }

    private var entries: String {
        let report =
            switch self {
            case .blocks: "entry.report"
            case .favourites: "NULL::text"
            }
        return """
            SELECT entry.registration_id, person.name, entry.created_at, \(report)
            FROM \(table) AS entry
            JOIN accounts AS person ON person.id = entry.other_id
            WHERE entry.user_id = $1 AND entry.removed_at IS NULL
            """
    }

    /// Returns one page of a user's list, newest first; `last` is the last entry before the page.
    package func read(
        of user: Identifier, after last: Identifier?, limit: Int, from database: PostgresPool
    ) async throws(PostgresError) -> [Entry] {
        let sql = """
            \(entries)
                AND ($2::uuid IS NULL OR entry.id < (
                    SELECT max(id) FROM \(table) WHERE user_id = $1 AND registration_id = $2))
            ORDER BY entry.id DESC
            LIMIT $3
            """
        return try await database.query(sql, [user, last, Int64(limit)], retrying: true)
            .read(Entry.init(registration:name:createdAt:report:))
    }

    /// Runs a transaction that adds an entry. If the other account is deleted at the same time, throws the
    /// `APIError` that says so.
    package static func adding<Value>(_ transaction: () async throws -> Value) async throws -> Value {
        do {
            return try await transaction()
        } catch let error as PostgresError where error.sqlState == .foreignKeyViolation {
            throw formerUser
        }
    }

    /// Removes an entry. It is no error if there is none. Throws an `APIError`.
    package func remove(_ request: Request, from database: PostgresPool) async throws {
        try await database.transaction(attempts: 3) { connection in
            let other: Identifier
            switch try await Met.person(request, on: connection) {
            case .user(let user): other = user
            case .former: return
            case .stranger, .oneself: throw Met.stranger
            }
            try await connection.query(
                "UPDATE \(table) SET removed_at = greatest($3, created_at) "
                    + "WHERE user_id = $1 AND other_id = $2 "
                    + "AND removed_at IS NULL",
                [request.user, other, request.now])
            try await SlotNotes.add(of: request.user, other, after: request.now, on: connection)
            try await connection.query(
                """
                DELETE FROM \(table) WHERE id IN (
                    SELECT id FROM \(table) WHERE user_id = $1 AND removed_at IS NOT NULL
                    ORDER BY removed_at DESC, id DESC OFFSET $2)
                """, [request.user, Int64(Self.removedKept)])
        }
    }

    /// Adds an entry. Returns it, and whether it is new. Throws an `APIError`.
    package func add(
        _ request: Request, on connection: PostgresConnection
    ) async throws -> (entry: Entry, isNew: Bool) {
        // Two requests of one user run one after the other: the limit is exact, and no entry is there twice.
        try await connection.lockAccount(request.user)
        let other: Identifier
        switch try await Met.person(request, on: connection) {
        case .user(let user): other = user
        case .former: throw Self.formerUser
        case .stranger: throw Met.stranger
        case .oneself:
            let detail: Text = "This registration is your own."
            throw APIError(
                .invalid, detail, errors: [FieldError(pointer: "/registrationId", detail: detail)])
        }
        let one = "\(entries) AND entry.other_id = $2"
        if try await connection.query(one, [request.user, other]).first != nil {
            if let report = request.report {
                try await connection.query(
                    "UPDATE blocks SET report = $3 WHERE user_id = $1 AND other_id = $2 "
                        + "AND removed_at IS NULL",
                    [request.user, other, report])
            }
            return (try await Self.stored(one, request, other, on: connection), false)
        }
        try await checkLimit(request.user, on: connection)
        try await insert(request, other, on: connection)
        try await SlotNotes.add(of: request.user, other, after: request.now, on: connection)
        return (try await Self.stored(one, request, other, on: connection), true)
    }

    /// Returns the entry that was stored. Throws an error if the other account was deleted meanwhile.
    private static func stored(
        _ one: String, _ request: Request, _ other: Identifier, on connection: PostgresConnection
    ) async throws -> Entry {
        guard let row = try await connection.query(one, [request.user, other]).first else {
            throw formerUser
        }
        return try row.read(Entry.init(registration:name:createdAt:report:))
    }

    private func insert(
        _ request: Request, _ other: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) {
        let values: [any PostgresEncodable] = [request.user, other, request.registration, request.now]
        switch self {
        case .blocks:
            try await connection.query(
                """
                INSERT INTO blocks (user_id, other_id, registration_id, created_at, report)
                VALUES ($1, $2, $3, $4, $5)
                """, values + [request.report])
        case .favourites:
            try await connection.query(
                """
                INSERT INTO favourites (user_id, other_id, registration_id, created_at)
                VALUES ($1, $2, $3, $4)
                """, values)
        }
    }

    private func checkLimit(_ user: Identifier, on connection: PostgresConnection) async throws {
        let rows = try await connection.query(
            "SELECT count(*) FROM \(table) WHERE user_id = $1 AND removed_at IS NULL", [user])
        if try rows[0].decode(0, Int64.self) >= Limits.peopleMarked {
            let limit = Limits.peopleMarked
            let detail: Text =
                switch self {
                case .blocks: "You have \(limit) blocks; take one back before you add another."
                case .favourites: "You have \(limit) favourites; take one back before you add another."
                }
            throw APIError(.limitReached, detail)
        }
    }

    private static let formerUser = APIError(
        .notFound, "Their account was deleted, so you will not meet them again.")
}
