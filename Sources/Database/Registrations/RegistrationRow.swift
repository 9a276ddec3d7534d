package import Contract
package import Postgres

/// A registration as it comes from the database, with the state that follows from its history.
package enum RegistrationRow {
    /// The tables of a registration: `registration`, its `slot`, and its `member` if it is in a room.
    package static let tables = """
        registrations AS registration
        JOIN slots AS slot ON slot.starts_at = registration.starts_at
        LEFT JOIN members AS member
            ON member.registration_id = registration.id AND member.left_revision IS NULL
        """

    /// Returns SQL for the state of a registration, which only this method defines. A slot is over when its
    /// rooms were closed and all its people were notified, unless the caller goes by the clock.
    package static func state(isOver: String = "slot.closed_at IS NOT NULL") -> String {
        """
        CASE
            WHEN registration.cancelled_at IS NOT NULL THEN 'cancelled'
            WHEN NOT \(isOver) THEN CASE WHEN member.room_id IS NULL THEN 'registered' ELSE 'matched' END
            WHEN EXISTS (
                SELECT FROM members AS visit
                WHERE visit.registration_id = registration.id AND visit.entered_at IS NOT NULL
            ) THEN 'attended'
            WHEN member.room_id IS NOT NULL AND slot.served_at IS NOT NULL THEN 'missed'
            ELSE 'lapsed'
        END
        """
    }

    /// The tables of which `columns` are; `words` are the member's words about the session, and `intent`
    /// names the people they want to meet.
    static let all = """
        \(tables)
        LEFT JOIN session_words AS words ON words.registration_id = registration.id
        LEFT JOIN intents AS intent ON intent.registration_id = registration.id
        """

    /// The columns that `read` reads, of the tables `all`.
    package static let columns = """
        registration.id, registration.starts_at, slot.ends_at, registration.task, registration.tag,
        registration.adjusted, registration.created_at,
        greatest(registration.updated_at, words.updated_at), member.room_id, \(state()),
        \(SessionWords.columns),
        (SELECT routine_id FROM routine_occurrences WHERE registration_id = registration.id),
        coalesce(intent.favourites_only, false), coalesce(intent.quiet, false)
        """

    /// Returns the key of the slot.
    static func key(_ row: PostgresRow) throws(PostgresError) -> Timestamp { try row.decode(1) }

    package static func read(_ row: PostgresRow) throws(PostgresError) -> Registration {
        // One by one, since the compiler does not specialise a pack of types.
        Registration(
            id: try row.decode(0), slot: SlotSpan(key: try row.decode(1), endsAt: try row.decode(2)),
            task: try row.decode(3), tag: try row.decodeIfPresent(4), state: try row.decode(9),
            roomId: try row.decodeIfPresent(8), createdAt: try row.decode(6), updatedAt: try row.decode(7),
            adjusted: try row.decodeIfPresent(5).flatMap { Registration.Adjustment(rawValue: $0) },
            words: SessionWords(
                checkIn: try row.decodeIfPresent(10), outcome: try row.decodeIfPresent(11),
                note: try row.decodeIfPresent(12)),
            routineId: try row.decodeIfPresent(13), with: try row.decode(14, Bool.self) ? .favourites : nil,
            quiet: try row.decode(15, Bool.self) ? true : nil)
    }
}
