package import Contract
package import Postgres

/// Reads the audit log for operators.
package enum AuditReader {
    private static let entry = """
        json_build_object(
            'id', audit.id, 'at', \(DeskRows.time("at")), 'operator', operator, 'action', action,
            'subject', subject, 'before', words.before::json, 'after', words.after::json,
            'requestId', request_id,
            'isErased', words.audit_id IS NULL
                AND (audit.before IS NOT NULL OR audit.after IS NOT NULL))::text
        """

    /// The words of entries, without those about a deleted account.
    private static let words = """
        (
            SELECT audit_words.* FROM audit_words LEFT JOIN accounts ON accounts.id = person
            WHERE person IS NULL OR accounts.id IS NOT NULL) AS words
        """

    private static let list = """
        SELECT \(entry), id::text
        FROM (
            SELECT * FROM audit
            WHERE id < $1 AND ($2::text IS NULL OR operator = $2) AND ($3::text IS NULL OR action = $3)
                AND ($4::text IS NULL OR subject = $4) AND ($5::timestamptz IS NULL OR at >= $5)
                AND ($6::timestamptz IS NULL OR at < $6)
            ORDER BY id DESC LIMIT $7
        ) AS audit
        LEFT JOIN \(words) ON audit_id = id
        ORDER BY id DESC
        """

    /// Returns a page of what passes the filters, the newest first.
    package static func page(
        by name: String? = nil, action: String? = nil, subject: String? = nil, from: Timestamp? = nil,
        to: Timestamp? = nil, before id: Int64, limit: Int, in pool: PostgresPool
    ) async throws(PostgresError) -> DeskPage {
        try await DeskRows.page(list, [id, name, action, subject, from, to], limit: limit, in: pool)
    }

    private static let export = """
        SELECT \(entry), id::text
        FROM audit LEFT JOIN \(words) ON audit_id = id
        WHERE id > $1 ORDER BY id LIMIT $2
        """

    /// Returns a page, the oldest first.
    package static func page(
        after id: Int64, limit: Int, in pool: PostgresPool
    ) async throws(PostgresError) -> DeskPage {
        try await DeskRows.page(export, [id], limit: limit, in: pool)
    }
}
