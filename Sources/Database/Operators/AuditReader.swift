/// The statements by which operators read the audit log.
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

    /// Selects a page of what passes the filters, the newest first. Parameters: `$1` cursor, `$2` operator,
    /// `$3` action, `$4` subject, `$5` first time, `$6` time before which it happened, `$7` number of rows.
    package static let list = """
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

    /// Selects a page, the oldest first. Parameters: `$1` last id, `$2` number of rows.
    package static let export = """
        SELECT \(entry), id::text
        FROM audit LEFT JOIN \(words) ON audit_id = id
        WHERE id > $1 ORDER BY id LIMIT $2
        """
}
