/// What became of users' slots, each slot counted once: SQL behind the figures of a user and the attendance limit.
enum SlotOutcomes {
    /// Rows of `user_id`, `starts_at`, `outcome` and `is_disturbed`, for the users in the array `users`.
    ///
    /// `outcome` is `attended`, `missed`, `cancelled` (asked for when the room was open already), `excused` (an outage of the
    /// service overlapped it), `lapsed` or `open`. Of several registrations for a slot the best one counts, so that
    /// whoever cancels by mistake and comes after all has come. `OFFSET 0` makes PostgreSQL find each state once, and
    /// not wherever it is asked for.
    static func rows(of users: String) -> String {
        """
        SELECT user_id, starts_at, is_disturbed,
            CASE
                WHEN bool_or(state = 'attended') THEN 'attended'
                WHEN bool_or(state IN ('registered', 'matched')) THEN 'open'
                WHEN is_disturbed THEN 'excused'
                WHEN bool_or(state = 'missed') THEN 'missed'
                WHEN bool_or(state = 'cancelled') THEN 'cancelled'
                ELSE 'lapsed'
            END AS outcome
        FROM (
            SELECT registration.user_id, registration.starts_at, \(RegistrationRow.state()) AS state,
                EXISTS (
                    SELECT FROM outages WHERE began_at < slot.ends_at AND ended_at > slot.starts_at
                ) AS is_disturbed
            FROM \(RegistrationRow.tables)
            WHERE registration.user_id = ANY(\(users)) AND (
                registration.cancelled_at IS NULL
                OR registration.cancelled_at >= slot.opened_at
                    AND EXISTS (SELECT FROM members AS seat WHERE seat.registration_id = registration.id))
            OFFSET 0
        ) AS session
        GROUP BY user_id, starts_at, is_disturbed
        """
    }

    /// The outcomes that say whether somebody can be counted on.
    static let counted = "('attended', 'missed', 'cancelled')"
}
