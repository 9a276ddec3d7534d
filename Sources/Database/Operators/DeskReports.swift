package import Contract
package import Postgres

/// Reads reports for operators, and writes their outcomes.
package enum DeskReports {
    static let line = """
        json_build_object(
            'id', report.id, 'at', \(DeskRows.time("report.at")), 'state', report.state, 'outcome',
                report.outcome,
            'by', json_build_object('id', author.id, 'name', author.name, 'pseudonym', NULL),
            'about', json_build_object('id', subject.id, 'name', subject.name, 'pseudonym', report.pseudonym),
            'slot', \(DeskRows.key("report.starts_at")), 'takenBy', report.taken_by,
            'notes', (SELECT count(*) FROM operator_notes AS remark WHERE remark.report_id = report.id))
        """

    static let source = """
        reports AS report
        JOIN accounts AS author ON author.id = report.by_id
        LEFT JOIN accounts AS subject ON subject.id = report.about_id
        """

    /// Returns the expression of a list of the latest reports that meet a condition.
    static func latest(_ condition: String) -> String {
        """
        coalesce((
            SELECT json_agg(row ORDER BY id DESC) FROM (
                SELECT \(line) AS row, report.id FROM \(source)
                WHERE \(condition) ORDER BY report.id DESC LIMIT 20) AS latest), '[]')
        """
    }

    /// Returns the expression of a list of the latest notes that meet a condition.
    static func notes(_ condition: String) -> String {
        """
        coalesce((
            SELECT json_agg(json_build_object(
                'id', id, 'at', \(DeskRows.time("at")), 'operator', operator, 'text', text) ORDER BY id DESC)
            FROM (SELECT id, at, operator, text FROM operator_notes WHERE \(condition)
                ORDER BY id DESC LIMIT 100) AS latest), '[]')
        """
    }

    /// Selects a page of reports, the newest first. Parameters: `$1` cursor, `$2` state, `$3` number of rows.
    package static let list = """
        SELECT \(line)::text, report.id::text FROM \(source)
        WHERE report.id < $1 AND ($2::text IS NULL OR report.state = $2)
        ORDER BY report.id DESC LIMIT $3
        """

    package enum State: String, CaseIterable, Sendable { case new, taken, closed }

    /// Selects report `$1`, which is kept for `$2` days; 0: for ever.
    package static let one = """
        SELECT (\(line)::jsonb || jsonb_build_object(
            'roomId', report.room_id, 'closedAt', \(DeskRows.time("report.closed_at")),
            'keptUntil', CASE WHEN $2 > 0
                THEN \(DeskRows.time("report.at + make_interval(days => $2::int)")) END))::text
        FROM \(source)
        WHERE report.id = $1
        """

    private static let words = """
        SELECT json_build_object('text', report.text, 'notes', \(notes("report_id = $1")))::text
        FROM \(source) WHERE report.id = $1
        """

    /// Returns the text of a report and the notes about it; nil where there is none. The caller writes an
    /// entry of the audit log with it.
    package static func reveal(
        _ id: Int64, on connection: PostgresConnection
    ) async throws(PostgresError) -> String? {
        try await connection.query(words, [id]).first?.decode(0, String.self)
    }

    /// A report under lock.
    package struct Locked: Sendable {
        package let state: State
        package let about: Identifier?
        package let outcome: String?
    }

    private static let lock = """
        SELECT state, subject.id, outcome FROM \(source) WHERE report.id = $1 FOR UPDATE OF report
        """

    /// Locks a report; nil where there is none.
    package static func lock(
        _ id: Int64, on connection: PostgresConnection
    ) async throws(PostgresError) -> Locked? {
        try await connection.query(lock, [id]).first?
            .read { Locked(state: State(rawValue: $0) ?? .new, about: $1, outcome: $2) }
    }

    /// A report that an operator closes stays that of the operator who took it.
    private static let change = """
        UPDATE reports SET state = $2, outcome = $3, closed_at = $4,
            taken_by = CASE WHEN $2 = 'closed' THEN coalesce(taken_by, $5) ELSE $5 END
        WHERE id = $1
        """

    /// Changes the state of a report that is locked. Only a closed one has an outcome and a time.
    package static func change(
        _ id: Int64, to state: State, outcome: String? = nil, by operatorName: String? = nil,
        at now: Timestamp? = nil, on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(change, [id, state.rawValue, outcome, now, operatorName])
    }

    private static let forget = """
        DELETE FROM reports WHERE id IN (SELECT id FROM reports WHERE at < $1 ORDER BY at LIMIT 1000)
        """

    /// Removes reports from before a time, some at once. Returns whether there may be more.
    package static func forget(before time: Timestamp, in pool: PostgresPool) async throws(PostgresError)
        -> Bool
    {
        try await pool.execute(forget, [time]) == 1000
    }
}
