extension StoredPromise {
    /// The indexes, constraints and triggers that enforce promises. One that is missing, invalid or disabled
    /// enforces nothing, though the rows may still be well.
    private static let enforcers = """
        WITH needed (kind, name) AS (VALUES
            ('index', 'registrations_one_live'), ('index', 'members_one_room'),
            ('index', 'notifications_one_opened'), ('index', 'notifications_one_end'),
            ('index', 'tokens_one_pending'), ('index', 'blocks_one_live'), ('index', 'favourites_one_live'),
            ('index', 'endpoints_one_push_owner'), ('index', 'invites_one_unused'),
            ('index', 'deliveries_notification_id_endpoint_id_key'),
            ('index', 'routine_occurrences_pkey'), ('index', 'routine_occurrences_one_start'),
            ('constraint', 'blocks_somebody_else'), ('constraint', 'favourites_somebody_else'),
            ('constraint', 'intents_somebody_else'), ('constraint', 'past_meetings_once'),
            ('trigger', 'notifications_are_delivered'), ('trigger', 'users_keep_tokens'),
            ('trigger', 'endpoints_take_over'), ('trigger', 'registrations_inserted_are_counted'),
            ('trigger', 'registrations_updated_are_counted'),
            ('trigger', 'registrations_deleted_are_counted'),
            ('trigger', 'registrations_that_go_free_their_time'))
        SELECT kind || ' ' || name FROM needed
        WHERE NOT CASE kind
            WHEN 'index' THEN EXISTS (
                SELECT FROM pg_index WHERE indexrelid = to_regclass(name) AND indisunique AND indisvalid)
            WHEN 'constraint' THEN EXISTS (
                SELECT FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
                WHERE conname = name AND convalidated AND pg_table_is_visible(conrelid))
            ELSE EXISTS (
                SELECT FROM pg_trigger
                WHERE tgname = name AND tgenabled IN ('O', 'A') AND pg_table_is_visible(tgrelid)) END
        UNION ALL
        SELECT 'constraint ' || conname FROM pg_constraint
        WHERE contype = 'f' AND NOT convalidated AND pg_table_is_visible(conrelid)
        """

    static let onceOnly = [
        StoredPromise(
            "enforced", "What enforces the promises is there: indexes, constraints and triggers.", enforcers),
        StoredPromise(
            "references", "What a row refers to without a foreign key exists.", Reference.dangling),
        StoredPromise(
            "one-registration", "A user has at most one live registration for a slot.",
            """
            SELECT min(id::text) FROM registrations WHERE cancelled_at IS NULL AND user_id IS NOT NULL
            GROUP BY user_id, starts_at HAVING count(*) > 1
            """),
        StoredPromise(
            "routine-days",
            "A day of a routine has its own registration, of the same user and start; a pause cancels it.",
            """
            SELECT routine_id || ' ' || date FROM routine_occurrences AS day
            JOIN routines ON routines.id = day.routine_id
            LEFT JOIN registrations ON registrations.id = day.registration_id
            WHERE outcome = 'registered' AND (registrations.id IS NULL
                OR registrations.user_id <> routines.user_id
                OR date_trunc('second', registrations.starts_at) <> date_trunc('second', day.starts_at))
                OR outcome = 'planned' AND registrations.cancelled_at IS NULL
            """),
        StoredPromise(
            "sessions-apart", "Where slots have several lengths, the sessions of a user do not overlap.",
            """
            SELECT registration_id::text FROM (
                SELECT registration_id, lower(span) AS begins,
                    max(upper(span)) OVER (PARTITION BY user_id ORDER BY lower(span), registration_id
                        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier
                FROM registration_spans) AS spans
            WHERE begins < earlier
            """),
        StoredPromise(
            "slot-length", "A slot ends at its own end, whatever its length.",
            """
            SELECT starts_at::text FROM slots
            CROSS JOIN LATERAL (
                SELECT extract(microseconds FROM starts_at)::int8 % 1000000 AS minutes) AS key
            WHERE minutes BETWEEN 1 AND 240
                AND ends_at <> date_trunc('second', starts_at) + minutes * interval '1 minute'
            """),
        StoredPromise(
            "main-token", "An account has its main token, and one new token at most.",
            """
            SELECT accounts.id::text FROM accounts
            LEFT JOIN tokens ON user_id = accounts.id AND number = token_version
            WHERE tokens.hash IS DISTINCT FROM token_hash
            UNION ALL
            SELECT user_id::text FROM tokens WHERE pending_until IS NOT NULL
            GROUP BY user_id HAVING count(*) > 1
            """),
        StoredPromise(
            "session-tokens", "A session ends with the token that it was made by.",
            """
            SELECT user_id::text FROM tokens AS session
            WHERE made_by IS NOT NULL AND NOT EXISTS (
                SELECT FROM tokens WHERE user_id = session.user_id AND number = session.made_by)
            """),
    ]

    static let rooms = [
        StoredPromise(
            "one-room", "A registration is in at most one room.",
            """
            SELECT registration_id::text FROM members WHERE left_revision IS NULL
            GROUP BY registration_id HAVING count(*) > 1
            """),
        StoredPromise(
            "own-slot", "The room of a member is in the slot of its registration.",
            """
            SELECT registration_id::text FROM members
            JOIN registrations ON registrations.id = registration_id
            JOIN rooms ON rooms.id = room_id
            WHERE registrations.starts_at <> rooms.starts_at
            """),
        StoredPromise(
            "has-room", "Whoever took part in a slot that has closed was in a room, unless it lapsed.",
            """
            SELECT registrations.id::text FROM registrations
            JOIN slots USING (starts_at)
            WHERE closed_at IS NOT NULL AND cancelled_at IS NULL AND user_id IS NOT NULL
                AND NOT EXISTS (SELECT FROM members
                    WHERE registration_id = registrations.id AND left_revision IS NULL)
                AND NOT EXISTS (SELECT FROM notifications
                    WHERE registration_id = registrations.id AND type = 'session.lapsed')
            """),
        StoredPromise(
            "not-passed-over", "Nobody's session lapses while others of the slot are matched.",
            """
            SELECT lapse.registration_id::text FROM notifications AS lapse
            JOIN registrations ON registrations.id = lapse.registration_id
            WHERE lapse.type = 'session.lapsed'
                AND NOT EXISTS (SELECT FROM members WHERE registration_id = registrations.id)
                AND EXISTS (
                    SELECT FROM registrations AS other
                    JOIN notifications AS opened
                        ON opened.registration_id = other.id AND opened.type = 'room.opened'
                    WHERE other.starts_at = registrations.starts_at
                        AND opened.created_at > registrations.created_at + interval '30 seconds')
            """),
        StoredPromise(
            "gone-is-gone", "A cancelled registration is in no room, and is not told of the end.",
            """
            SELECT registrations.id::text FROM registrations
            WHERE cancelled_at IS NOT NULL AND (
                EXISTS (SELECT FROM members
                    WHERE registration_id = registrations.id AND left_revision IS NULL)
                OR EXISTS (SELECT FROM notifications
                    WHERE registration_id = registrations.id AND type LIKE 'session.%'))
            """),
    ]
}
