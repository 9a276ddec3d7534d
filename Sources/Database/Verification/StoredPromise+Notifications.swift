extension StoredPromise {
    static let notifications = [
        StoredPromise(
            "opened-once", "Whoever is in a room was told once that it opened, and nobody else was.",
            """
            SELECT registrations.id::text FROM registrations
            JOIN members ON registration_id = registrations.id AND left_revision IS NULL
            WHERE user_id IS NOT NULL AND 1 <> (SELECT count(*) FROM notifications
                WHERE notifications.registration_id = registrations.id AND type = 'room.opened')
            UNION ALL
            SELECT min(registration_id::text) FROM notifications WHERE type = 'room.opened'
            GROUP BY registration_id
            HAVING count(*) > 1
                OR NOT EXISTS (SELECT FROM members WHERE registration_id = notifications.registration_id)
            """),
        StoredPromise(
            "ends-once", "A session ends once: completed, missed or lapsed.",
            """
            SELECT registrations.id::text FROM registrations
            JOIN slots USING (starts_at)
            WHERE closed_at IS NOT NULL AND cancelled_at IS NULL AND user_id IS NOT NULL
                AND 1 <> (SELECT count(*) FROM notifications
                    WHERE registration_id = registrations.id AND type LIKE 'session.%')
            """),
        StoredPromise(
            "latest-company", "The last news of a room names the company that one has.",
            """
            SELECT registrations.id::text FROM registrations
            JOIN members ON members.registration_id = registrations.id AND left_revision IS NULL
            CROSS JOIN LATERAL (
                SELECT room_id, revision FROM notifications
                WHERE notifications.registration_id = registrations.id AND type LIKE 'room.%'
                ORDER BY id DESC LIMIT 1) AS news
            WHERE user_id IS NOT NULL AND (news.room_id <> members.room_id OR EXISTS (
                SELECT FROM members AS other
                WHERE other.room_id = members.room_id AND (left_revision IS NULL) <> (
                    joined_revision <= news.revision
                    AND (left_revision IS NULL OR left_revision > news.revision))))
            """),
        StoredPromise(
            "completed-by-coming", "Nobody completes a session without having been there.",
            """
            SELECT registration_id::text FROM notifications
            WHERE type = 'session.completed' AND NOT EXISTS (
                SELECT FROM members
                WHERE members.registration_id = notifications.registration_id AND entered_at IS NOT NULL)
            """),
        StoredPromise(
            "ran-is-not-lapsed", "A session that ran, while a server was up, does not lapse.",
            """
            SELECT registration_id::text FROM notifications AS lapse
            JOIN registrations ON registrations.id = lapse.registration_id
            JOIN slots USING (starts_at)
            WHERE type = 'session.lapsed' AND served_at IS NOT NULL AND EXISTS (
                SELECT FROM members
                WHERE members.registration_id = lapse.registration_id AND left_revision IS NULL)
            """),
        StoredPromise(
            "company-by-turns",
            "Whoever was alone in a slot is told once that company has come, and once that it has gone.",
            """
            SELECT registration_id::text FROM (
                SELECT registration_id, type,
                    lag(type) OVER (PARTITION BY registration_id ORDER BY id) AS before
                FROM notifications WHERE type IN ('slot.partnered', 'slot.alone')) AS told
            WHERE type = before
            """),
        StoredPromise(
            "nothing-after-opening", "Nothing of who is alone in a slot is told after it has opened.",
            """
            SELECT notifications.id::text FROM notifications
            JOIN registrations ON registrations.id = registration_id
            JOIN slots USING (starts_at)
            WHERE type IN ('slot.partnered', 'slot.alone')
                AND notifications.created_at > opened_at + interval '2 seconds'
            """),
        StoredPromise(
            "others", "`others` of a slot is the number of those who are registered.",
            """
            SELECT starts_at::text FROM slots
            LEFT JOIN slot_counts USING (starts_at)
            LEFT JOIN (SELECT starts_at, sum(change) AS change FROM slot_count_changes GROUP BY starts_at)
                AS changed USING (starts_at)
            LEFT JOIN (SELECT starts_at, count(*) AS people FROM registrations
                WHERE cancelled_at IS NULL GROUP BY starts_at) AS live USING (starts_at)
            WHERE coalesce(slot_counts.people, 0) + coalesce(change, 0) <> coalesce(live.people, 0)
            """),
    ]

    static let people = [
        StoredPromise(
            "one-word", "Nobody blocks, or marks, themself; one word about somebody counts once.",
            """
            SELECT 'block ' || min(id) FROM blocks WHERE removed_at IS NULL GROUP BY user_id, other_id
            HAVING count(*) > 1 OR user_id = other_id
            UNION ALL
            SELECT 'favourite ' || min(id) FROM favourites WHERE removed_at IS NULL GROUP BY user_id, other_id
            HAVING count(*) > 1 OR user_id = other_id
            """),
        StoredPromise(
            "own-words", "What was said about a session is that of whoever was registered for it.",
            """
            SELECT registration_id::text FROM session_words AS words
            LEFT JOIN registrations ON registrations.id = registration_id
            WHERE registrations.user_id IS DISTINCT FROM words.user_id
            """),
        StoredPromise(
            "deleted-accounts",
            "An account that was deleted is named nowhere, is registered no more, and is gone within a day.",
            """
            SELECT id::text FROM registrations
            JOIN slots USING (starts_at)
            WHERE user_id IS NULL AND (task IS NOT NULL OR tag IS NOT NULL
                OR (cancelled_at IS NULL AND ends_at > updated_at))
            UNION ALL
            SELECT registration_id::text FROM registration_spans AS spans
            LEFT JOIN registrations ON registrations.id = registration_id
            WHERE registrations.user_id IS DISTINCT FROM spans.user_id OR cancelled_at IS NOT NULL
            UNION ALL
            SELECT users.id::text FROM users
            WHERE deleted_at < now() - interval '1 day' OR deleted_at IS NOT NULL AND (
                name <> 'former user' OR EXISTS (SELECT FROM tokens WHERE user_id = users.id)
                OR EXISTS (SELECT FROM endpoints WHERE user_id = users.id AND disabled_at IS NULL)
                OR EXISTS (
                    SELECT FROM registrations JOIN slots USING (starts_at)
                    WHERE user_id = users.id AND cancelled_at IS NULL AND closed_at IS NULL
                        AND ends_at > deleted_at))
            """),
        StoredPromise(
            "ales", "No more ales are counted for the members of a room than were counted in the room.",
            """
            SELECT rooms.id::text FROM rooms JOIN members ON room_id = rooms.id
            GROUP BY rooms.id HAVING sum(ales_sent) > rooms.ales
            """),
    ]
}
