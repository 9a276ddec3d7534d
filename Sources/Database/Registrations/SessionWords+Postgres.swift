package import Contract
package import Postgres

extension SessionWords {
    /// The columns of the words, of a table that is called `words`.
    static let columns = "words.check_in, words.outcome, words.note"

    private static let write = """
        INSERT INTO session_words (registration_id, user_id, check_in, outcome, note, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (registration_id) DO UPDATE SET
            check_in = excluded.check_in, outcome = excluded.outcome, note = excluded.note,
            revision = session_words.revision + 1, updated_at = excluded.updated_at
        """

    /// Stores the words, replacing earlier ones. The caller holds the lock of the user.
    package func write(
        for registration: Identifier, of user: Identifier, at now: Timestamp,
        on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(
            Self.write, [registration, user, checkIn, outcome?.rawValue, note, now])
    }
}
