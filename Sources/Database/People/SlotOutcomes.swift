/// The outcomes of users' slots, each slot counted once: SQL behind the figures of a user and the attendance
/// limit.
package enum SlotOutcomes {
    /// Returns SQL for rows of `user_id`, `starts_at`, `outcome` and `is_disturbed`, for the users in the
    /// array `users`, of the slots that were not removed and to which the condition applies. `past_sums` has
    /// the others.
    ///
    /// `outcome` is `attended`, `missed`, `cancelled` (asked for when the room was open already), `excused`
    /// (an outage of the service overlapped it), `lapsed` or `open`. Of several registrations for a slot the
    /// best one counts, so that a user who cancels by mistake and comes after all has come. `OFFSET 0` makes
    /// PostgreSQL compute each state once, and not for each use.
    package static func rows(of users: String, where condition: String = "true") -> String {
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
            WHERE registration.user_id = ANY(\(users)) AND \(condition) AND (
                registration.cancelled_at IS NULL
                OR registration.cancelled_at >= slot.opened_at
                    AND EXISTS (SELECT FROM members AS member WHERE member.registration_id = registration.id))
            OFFSET 0
        ) AS session
        GROUP BY user_id, starts_at, is_disturbed
        """
    }

    /// SQL for rows of `user_id`, `starts_at` and `seconds`: the time from the opening, or from the user's
    /// own late registration, to the user's entry. `slot` names rows of the above.
    package static let entries = """
        SELECT slot.user_id, slot.starts_at, greatest(extract(epoch FROM
            min(visit.entered_at) - greatest(min(room.opened_at), min(registration.created_at))), 0)
                AS seconds
        FROM slot
        JOIN registrations AS registration
            ON registration.user_id = slot.user_id AND registration.starts_at = slot.starts_at
                AND registration.cancelled_at IS NULL
        JOIN members AS visit ON visit.registration_id = registration.id
        JOIN rooms AS room ON room.id = visit.room_id
        WHERE slot.outcome = 'attended' AND NOT slot.is_disturbed
        GROUP BY slot.user_id, slot.starts_at
        """

    /// The outcomes that count for the attendance of a user.
    package static let counted = "('attended', 'missed', 'cancelled')"
}
