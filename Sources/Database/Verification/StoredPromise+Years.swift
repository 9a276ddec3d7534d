extension StoredPromise {
    static let years = [
        StoredPromise(
            "past-sums", "The sums of slots that were removed fit together.",
            """
            SELECT user_id::text FROM past_sums
            LEFT JOIN (SELECT user_id, sum(times) AS times FROM past_entries GROUP BY user_id) AS entry
                USING (user_id)
            WHERE entries <> coalesce(times, 0) OR current_streak > longest_streak
                OR longest_streak > attended
                OR least(attended, missed, cancelled, current_streak, ales_sent, ales_received) < 0
            """)
    ]

    static let time = [
        // `LEAD_SECONDS` is less than the length of a slot.
        StoredPromise(
            "not-early", "Nothing is told before its time.",
            """
            SELECT notifications.id::text FROM notifications
            JOIN registrations ON registrations.id = registration_id
            JOIN slots USING (starts_at)
            WHERE CASE WHEN type LIKE 'session.%' THEN notifications.created_at < ends_at
                WHEN type = 'room.opened' THEN notifications.created_at < starts_at - (ends_at - starts_at)
                ELSE false END
            """),
        StoredPromise(
            "slots-in-order", "A slot opens, is served and closes in this order, and closes after its end.",
            """
            SELECT starts_at::text FROM slots
            WHERE closed_at < ends_at OR served_at < date_trunc('second', starts_at) OR served_at >= ends_at
                OR closed_at < greatest(closing_at, opened_at) - interval '5 seconds'
            """),
    ]
}
