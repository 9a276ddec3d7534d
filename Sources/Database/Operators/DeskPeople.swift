package import Contract
package import Postgres

/// Reads people for operators, without private words.
package enum DeskPeople {
    private static let line = """
        json_build_object(
            'id', person.id, 'name', person.name, 'timeZone', person.time_zone,
            'createdAt', \(DeskRows.time("person.created_at")),
            'isSuspended', held.user_id IS NOT NULL, 'suspendedUntil', \(DeskRows.time("held.until")))
        """

    private static let suspension = """
        LEFT JOIN suspensions AS held ON held.user_id = person.id
            AND \(Suspensions.holds)
        """

    /// Returns the statement that selects a page of the people who meet a condition, the newest first.
    /// Parameters: `$1` cursor, the last one the number of rows.
    private static func list(_ condition: String, limit: String = "$2") -> String {
        """
        SELECT \(line)::text, person.id::text FROM accounts AS person \(suspension)
        WHERE \(condition) AND ($1::uuid IS NULL OR person.id < $1)
        ORDER BY person.id DESC LIMIT \(limit)
        """
    }

    private static let newest = list("true")
    private static let suspended = list("held.user_id IS NOT NULL")
    private static let byToken = list(
        "person.id IN (SELECT user_id FROM tokens WHERE prefix = $2)", limit: "$3")

    private static let byName = """
        SELECT \(line)::text, person.id::text
        FROM accounts AS person \(suspension)
        WHERE folded_name(person.name) COLLATE "C" >= folded_name($1)
            AND folded_name(person.name) COLLATE "C" < folded_name($1) || $2
            AND ($3::uuid IS NULL OR (folded_name(person.name) COLLATE "C", person.id) > (
                SELECT folded_name(name) COLLATE "C", id FROM accounts WHERE id = $3))
        ORDER BY folded_name(person.name) COLLATE "C", person.id LIMIT $4
        """

    private static let byIDs = """
        SELECT \(line)::text FROM accounts AS person \(suspension)
        WHERE person.id = ANY($1) ORDER BY person.id DESC
        """

    /// The id up to which one page looks for names; none if it looks at all that are left.
    private static let scanEnd = """
        SELECT id FROM accounts WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC OFFSET $2 LIMIT 1
        """

    /// A name with an ASCII letter or digit shows something. The others are looked at by `TextRule`, which
    /// knows the characters of Unicode.
    private static let doubtful = """
        SELECT id, name FROM accounts
        WHERE ($1::uuid IS NULL OR id < $1) AND ($2::uuid IS NULL OR id >= $2)
            AND name !~ '[A-Za-z0-9]'
        ORDER BY id DESC
        """

    /// The number of accounts at whose names one page looks.
    static let scannedNames = 20_000

    /// The subject of a search.
    package enum Query: Equatable, Sendable {
        case newest
        case suspended
        case id(Identifier)
        /// The people whose names show nothing. A page can have fewer entries than its limit.
        case invisible
        /// The beginning of a name, in any case.
        case name(String)
        /// The beginning of a token, as it is stored.
        case token(String)
    }

    /// Returns a page of people; `last` is the id of the last one of the page before.
    package static func page(
        _ query: Query, after last: Identifier?, limit: Int, in pool: PostgresPool
    ) async throws(PostgresError) -> DeskPage {
        switch query {
        case .newest: try await DeskRows.page(newest, [last], limit: limit, in: pool)
        case .suspended: try await DeskRows.page(suspended, [last], limit: limit, in: pool)
        case .invisible: try await invisible(after: last, limit: limit, in: pool)
        case .id(let id): DeskPage(rows: try await lines(of: [id], in: pool), nextCursor: nil)
        case .name(let text):
            try await DeskRows.page(
                byName, [text, "\u{10FFFF}", last], limit: limit, in: pool)
        case .token(let prefix): try await DeskRows.page(byToken, [last, prefix], limit: limit, in: pool)
        }
    }

    private static func invisible(
        after last: Identifier?, limit: Int, in pool: PostgresPool
    ) async throws(PostgresError) -> DeskPage {
        let end = try await pool.query(scanEnd, [last, Int64(scannedNames - 1)], retrying: true)
            .first?.decode(0, Identifier.self)
        var found: [Identifier] = []
        for row in try await pool.query(doubtful, [last, end], retrying: true) where found.count <= limit {
            let (id, name) = try row.decode(Identifier.self, String.self)
            if !TextRule.showsSomething(name) { found.append(id) }
        }
        let isFull = found.count > limit
        if isFull { found.removeLast() }
        return DeskPage(
            rows: try await lines(of: found, in: pool), nextCursor: (isFull ? found.last : end)?.description)
    }

    private static func lines(
        of people: [Identifier], in pool: PostgresPool
    ) async throws(PostgresError) -> [String] {
        try await pool.query(byIDs, [people], retrying: true).column()
    }

    private static let registration = """
        json_build_object(
            'id', registration.id, 'slot', \(DeskRows.key("registration.starts_at")),
            'startsAt', \(DeskRows.start("registration.starts_at")),
            'createdAt', \(DeskRows.time("registration.created_at")),
            'cancelledAt', \(DeskRows.time("registration.cancelled_at")),
            'state', CASE WHEN registration.cancelled_at IS NOT NULL THEN 'cancelled'
                WHEN slot.closed_at IS NOT NULL THEN CASE WHEN visit.entered_at IS NULL THEN 'missed'
                    ELSE 'attended' END
                WHEN slot.opened_at IS NOT NULL THEN 'open' ELSE 'registered' END,
            'roomId', seat.room_id, 'enteredAt', \(DeskRows.time("visit.entered_at")),
            'hasTask', registration.task IS NOT NULL)
        """

    private static let registrationSource = """
        registrations AS registration
        JOIN slots AS slot ON slot.starts_at = registration.starts_at
        LEFT JOIN LATERAL (
            SELECT room_id FROM members WHERE registration_id = registration.id
            ORDER BY left_revision IS NULL DESC, joined_revision DESC LIMIT 1) AS seat ON true
        LEFT JOIN LATERAL (
            SELECT min(entered_at) AS entered_at FROM members
                WHERE registration_id = registration.id) AS visit ON true
        """

    /// Selects a page of a person's registrations, the latest start first. Parameters: `$1` person, `$2` and
    /// `$3` cursor, `$4` number of rows.
    package static let registrations = """
        SELECT \(registration)::text, \(DeskRows.cursor("registration.starts_at", "registration.id"))
        FROM \(registrationSource)
        WHERE registration.user_id = (SELECT id FROM accounts WHERE id = $1)
            AND ($2::timestamptz IS NULL OR (registration.starts_at, registration.id) < ($2, $3::uuid))
        ORDER BY registration.starts_at DESC, registration.id DESC LIMIT $4
        """

    private static let endpoint = """
        json_build_object(
            'id', endpoint.id, 'kind', endpoint.kind, 'host', endpoint.host,
            'createdAt', \(DeskRows.time("endpoint.created_at")),
            'failingSince', \(DeskRows.time("endpoint.failing_since")),
            'disabledAt', \(DeskRows.time("endpoint.disabled_at")), 'reason', endpoint.reason)
        """

    /// Selects all of person `$1`.
    package static let one = """
        SELECT (\(line)::jsonb || jsonb_build_object(
            'suspension', CASE WHEN held.user_id IS NOT NULL THEN json_build_object(
                'since', \(DeskRows.time("held.since")), 'until', \(DeskRows.time("held.until")),
                'reason', held.reason, 'operator', held.operator) END,
            'registrations', coalesce((
                SELECT json_agg(row ORDER BY starts_at DESC, id DESC) FROM (
                    SELECT \(registration) AS row, registration.starts_at, registration.id
                    FROM \(registrationSource)
                    WHERE registration.user_id = person.id
                    ORDER BY registration.starts_at DESC, registration.id DESC LIMIT 20) AS latest), '[]'),
            'endpoints', coalesce((
                SELECT json_agg(\(endpoint) ORDER BY endpoint.id) FROM endpoints AS endpoint
                WHERE endpoint.user_id = person.id), '[]'),
            'tokens', coalesce((
                SELECT json_agg(json_build_object(
                    'kind', CASE WHEN made_by IS NOT NULL THEN 'session' WHEN number > 0 THEN 'main'
                        ELSE 'token' END,
                    'label', label, 'prefix', prefix, 'createdAt', \(DeskRows.time("created_at")),
                    'expiresAt', \(DeskRows.time("expires_at")), 'lastUsedAt',
                        \(DeskRows.time("last_used_at")))
                    ORDER BY number)
                FROM tokens WHERE user_id = person.id AND (expires_at IS NULL OR expires_at > now())), '[]'),
            'blocks', json_build_object(
                'by', (SELECT count(*) FROM blocks JOIN accounts ON accounts.id = other_id
                    WHERE user_id = person.id AND removed_at IS NULL),
                'of', (SELECT count(*) FROM blocks JOIN accounts ON accounts.id = user_id
                    WHERE other_id = person.id AND removed_at IS NULL)),
            'reportsAbout', \(DeskReports.latest("report.about_id = person.id")),
            'reportsBy', \(DeskReports.latest("report.by_id = person.id")),
            'notes', (SELECT count(*) FROM operator_notes WHERE operator_notes.person = person.id),
            'hasRecoveryCode', EXISTS (SELECT FROM recovery_codes WHERE user_id = person.id),
            'signInCodeUntil', (SELECT \(DeskRows.time("expires_at")) FROM sign_in_codes
                WHERE user_id = person.id AND expires_at > now()))
            || jsonb_build_object('attendance', (
                SELECT json_build_object(
                    'attended', coalesce(sum(attended), 0), 'missed', coalesce(sum(missed), 0),
                    'cancelledLate', coalesce(sum(late), 0))
                FROM (
                    SELECT attended, missed, cancelled AS late FROM past_sums WHERE user_id = person.id
                    UNION ALL
                    SELECT count(*) FILTER (WHERE cancelled_at IS NULL AND came),
                        count(*) FILTER (WHERE cancelled_at IS NULL AND NOT came),
                        count(*) FILTER (WHERE cancelled_at >= opened_at)
                    FROM (
                        SELECT own.cancelled_at, past.opened_at, EXISTS (
                            SELECT FROM members WHERE registration_id = own.id
                                AND entered_at IS NOT NULL) AS came
                        FROM registrations AS own JOIN slots AS past ON past.starts_at = own.starts_at
                        WHERE own.user_id = person.id AND past.closed_at IS NOT NULL) AS session
                ) AS counted)))::text
        FROM accounts AS person
        \(suspension)
        WHERE person.id = $1
        """

    /// Returns the name of an account; nil where there is none.
    package static func name(
        of id: Identifier, in pool: PostgresPool
    ) async throws(PostgresError) -> String? {
        try await pool.query("SELECT name FROM accounts WHERE id = $1", [id], retrying: true).first?
            .decode(0, String.self)
    }

    private static let tasks = """
        SELECT json_build_object('tasks', coalesce(json_agg(json_build_object(
            'registrationId', id, 'startsAt', \(DeskRows.start("starts_at")), 'task', task, 'tag', tag)
            ORDER BY starts_at DESC), '[]'))::text
        FROM (SELECT id, starts_at, task, tag FROM registrations WHERE user_id = $1
            ORDER BY starts_at DESC, id DESC LIMIT 100) AS latest
        """

    private static let notes = """
        SELECT json_build_object('notes', \(DeskReports.notes("person = $1")))::text
        """

    /// Private words about one person.
    package enum Words: String, CaseIterable, Sendable { case tasks, notes }

    /// Returns private words; the caller writes an entry of the audit log with them.
    package static func reveal(
        _ words: Words, of person: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) -> String {
        let statement =
            switch words {
            case .tasks: tasks
            case .notes: notes
            }
        return try await connection.query(statement, [person]).first?.decode(0, String.self) ?? "{}"
    }

    // Acts.

    private static let lock = "SELECT name FROM accounts WHERE id = $1 FOR UPDATE"

    /// Locks an account. Returns its name; nil where there is none.
    package static func lock(
        _ id: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) -> String? {
        try await connection.query(lock, [id]).first?.decode(0, String.self)
    }

    private static let language = "SELECT language FROM accounts WHERE id = $1"

    /// Returns the language that a person has chosen, else English.
    package static func language(
        of id: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) -> Language {
        let tag = try await connection.query(language, [id]).first?.decode(0, String?.self)
        return tag.flatMap { $0 }.flatMap(Language.init(rawValue:)) ?? .english
    }

    private static let rename = "UPDATE accounts SET name = $2 WHERE id = $1"

    package static func rename(
        _ id: Identifier, to name: String, on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(rename, [id, name])
    }

    private static let note = """
        INSERT INTO operator_notes (at, operator, person, report_id, text)
        VALUES ($1, $2, $3::uuid, $4::int8, $5) RETURNING id
        """

    /// Keeps a note about a person, or about a report.
    package static func note(
        _ text: String, by operatorName: String, about person: Identifier? = nil, report: Int64? = nil,
        at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> Int64 {
        try await connection.query(note, [now, operatorName, person, report, text]).first?.decode(0) ?? 0
    }
}
