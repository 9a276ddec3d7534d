-- The promises of docs/internals/promises.md that rows can show to be broken. `letsswitch-server verify` runs this
-- file, and so does psql, which prints each promise and below it all that breaks it:
--
--     psql -XqAt1 -f verify.sql "$DATABASE_URL"
--
-- A promise is its name and its sentence behind \echo, and one query. The query has one column of text, which names
-- what breaks the promise: an id, or the start of a slot. It may run at any time beside servers, and finds nothing
-- while the promise holds. It contains no semicolon but the one at its end.

-- The checks read whole tables: sorts and hashes of a million rows are to fit.
SET LOCAL work_mem = '128MB';
SET LOCAL jit = off;

\echo 'enforced: What enforces the promises is there: indexes, constraints and triggers.'
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
WHERE contype = 'f' AND NOT convalidated AND pg_table_is_visible(conrelid);

\echo 'references: What a row refers to without a foreign key exists.'
SELECT 'members room_id ' || room_id FROM members
WHERE room_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM rooms WHERE rooms.id = room_id)
UNION ALL
SELECT 'members registration_id ' || registration_id FROM members
WHERE registration_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM registrations WHERE registrations.id = registration_id)
UNION ALL
SELECT 'notifications registration_id ' || registration_id FROM notifications
WHERE registration_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM registrations WHERE registrations.id = registration_id)
UNION ALL
SELECT 'notifications room_id ' || room_id FROM notifications
WHERE room_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM rooms WHERE rooms.id = room_id);

\echo 'one-registration: A user has at most one live registration for a slot.'
SELECT min(id::text) FROM registrations WHERE cancelled_at IS NULL AND user_id IS NOT NULL
GROUP BY user_id, starts_at HAVING count(*) > 1;

\echo 'routine-days: A day of a routine has its own registration, of the same user and start; a pause cancels it.'
SELECT routine_id || ' ' || date FROM routine_occurrences AS day
JOIN routines ON routines.id = day.routine_id
LEFT JOIN registrations ON registrations.id = day.registration_id
WHERE outcome = 'registered' AND (registrations.id IS NULL
    OR registrations.user_id <> routines.user_id
    OR date_trunc('second', registrations.starts_at) <> date_trunc('second', day.starts_at))
    OR outcome = 'planned' AND registrations.cancelled_at IS NULL;

\echo 'sessions-apart: Where slots have several lengths, the sessions of a user do not overlap.'
SELECT registration_id::text FROM (
    SELECT registration_id, lower(span) AS begins,
        max(upper(span)) OVER (PARTITION BY user_id ORDER BY lower(span), registration_id
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier
    FROM registration_spans) AS spans
WHERE begins < earlier;

\echo 'slot-length: A slot ends at its own end, whatever its length.'
SELECT starts_at::text FROM slots
CROSS JOIN LATERAL (
    SELECT extract(microseconds FROM starts_at)::int8 % 1000000 AS minutes) AS key
WHERE minutes BETWEEN 1 AND 240
    AND ends_at <> date_trunc('second', starts_at) + minutes * interval '1 minute';

\echo 'main-token: An account has its main token, and one new token at most.'
SELECT accounts.id::text FROM accounts
LEFT JOIN tokens ON user_id = accounts.id AND number = token_version
WHERE tokens.hash IS DISTINCT FROM token_hash
UNION ALL
SELECT user_id::text FROM tokens WHERE pending_until IS NOT NULL
GROUP BY user_id HAVING count(*) > 1;

\echo 'session-tokens: A session ends with the token that it was made by.'
SELECT user_id::text FROM tokens AS session
WHERE made_by IS NOT NULL AND NOT EXISTS (
    SELECT FROM tokens WHERE user_id = session.user_id AND number = session.made_by);

\echo 'one-room: A registration is in at most one room.'
SELECT registration_id::text FROM members WHERE left_revision IS NULL
GROUP BY registration_id HAVING count(*) > 1;

\echo 'own-slot: The room of a member is in the slot of its registration.'
SELECT registration_id::text FROM members
JOIN registrations ON registrations.id = registration_id
JOIN rooms ON rooms.id = room_id
WHERE registrations.starts_at <> rooms.starts_at;

\echo 'has-room: A person who took part in a slot that has closed was in a room, unless it lapsed.'
SELECT registrations.id::text FROM registrations
JOIN slots USING (starts_at)
WHERE closed_at IS NOT NULL AND cancelled_at IS NULL AND user_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM members
        WHERE registration_id = registrations.id AND left_revision IS NULL)
    AND NOT EXISTS (SELECT FROM notifications
        WHERE registration_id = registrations.id AND type = 'session.lapsed');

\echo 'not-passed-over: No session lapses while others of the slot are matched.'
SELECT lapse.registration_id::text FROM notifications AS lapse
JOIN registrations ON registrations.id = lapse.registration_id
WHERE lapse.type = 'session.lapsed'
    AND NOT EXISTS (SELECT FROM members WHERE registration_id = registrations.id)
    AND EXISTS (
        SELECT FROM registrations AS other
        JOIN notifications AS opened
            ON opened.registration_id = other.id AND opened.type = 'room.opened'
        WHERE other.starts_at = registrations.starts_at
            AND opened.created_at > registrations.created_at + interval '30 seconds');

\echo 'gone-is-gone: A cancelled registration is in no room, and is not told of the end.'
SELECT registrations.id::text FROM registrations
WHERE cancelled_at IS NOT NULL AND (
    EXISTS (SELECT FROM members
        WHERE registration_id = registrations.id AND left_revision IS NULL)
    OR EXISTS (SELECT FROM notifications
        WHERE registration_id = registrations.id AND type LIKE 'session.%'));

\echo 'opened-once: Each member of a room was notified once that it opened, and no other person was.'
SELECT registrations.id::text FROM registrations
JOIN members ON registration_id = registrations.id AND left_revision IS NULL
WHERE user_id IS NOT NULL AND 1 <> (SELECT count(*) FROM notifications
    WHERE notifications.registration_id = registrations.id AND type = 'room.opened')
UNION ALL
SELECT min(registration_id::text) FROM notifications WHERE type = 'room.opened'
GROUP BY registration_id
HAVING count(*) > 1
    OR NOT EXISTS (SELECT FROM members WHERE registration_id = notifications.registration_id);

\echo 'ends-once: A session ends once: completed, missed or lapsed.'
SELECT registrations.id::text FROM registrations
JOIN slots USING (starts_at)
WHERE closed_at IS NOT NULL AND cancelled_at IS NULL AND user_id IS NOT NULL
    AND 1 <> (SELECT count(*) FROM notifications
        WHERE registration_id = registrations.id AND type LIKE 'session.%');

\echo 'latest-company: The last news of a room names the company that one has.'
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
        AND (left_revision IS NULL OR left_revision > news.revision))));

\echo 'completed-by-coming: No person completes a session without having been there.'
SELECT registration_id::text FROM notifications
WHERE type = 'session.completed' AND NOT EXISTS (
    SELECT FROM members
    WHERE members.registration_id = notifications.registration_id AND entered_at IS NOT NULL);

\echo 'ran-is-not-lapsed: A session that ran, while a server was up, does not lapse.'
SELECT registration_id::text FROM notifications AS lapse
JOIN registrations ON registrations.id = lapse.registration_id
JOIN slots USING (starts_at)
WHERE type = 'session.lapsed' AND served_at IS NOT NULL AND EXISTS (
    SELECT FROM members
    WHERE members.registration_id = lapse.registration_id AND left_revision IS NULL);

\echo 'company-by-turns: A person who was alone in a slot is notified once that company has come, and once that it has gone.'
SELECT registration_id::text FROM (
    SELECT registration_id, type,
        lag(type) OVER (PARTITION BY registration_id ORDER BY id) AS before
    FROM notifications WHERE type IN ('slot.partnered', 'slot.alone')) AS told
WHERE type = before;

\echo 'nothing-after-opening: Nothing of who is alone in a slot is told after it has opened.'
SELECT notifications.id::text FROM notifications
JOIN registrations ON registrations.id = registration_id
JOIN slots USING (starts_at)
WHERE type IN ('slot.partnered', 'slot.alone')
    AND notifications.created_at > opened_at + interval '2 seconds';

\echo 'others: `others` of a slot is the number of those who are registered.'
SELECT starts_at::text FROM slots
LEFT JOIN slot_counts USING (starts_at)
LEFT JOIN (SELECT starts_at, sum(change) AS change FROM slot_count_changes GROUP BY starts_at)
    AS changed USING (starts_at)
LEFT JOIN (SELECT starts_at, count(*) AS people FROM registrations
    WHERE cancelled_at IS NULL GROUP BY starts_at) AS live USING (starts_at)
WHERE coalesce(slot_counts.people, 0) + coalesce(change, 0) <> coalesce(live.people, 0);

\echo 'one-word: No person blocks, or marks, themself; one word about a person counts once.'
SELECT 'block ' || min(id) FROM blocks WHERE removed_at IS NULL GROUP BY user_id, other_id
HAVING count(*) > 1 OR user_id = other_id
UNION ALL
SELECT 'favourite ' || min(id) FROM favourites WHERE removed_at IS NULL GROUP BY user_id, other_id
HAVING count(*) > 1 OR user_id = other_id;

\echo 'own-words: Words about a session are those of a person who was registered for it.'
SELECT registration_id::text FROM session_words AS words
LEFT JOIN registrations ON registrations.id = registration_id
WHERE registrations.user_id IS DISTINCT FROM words.user_id;

\echo 'deleted-accounts: An account that was deleted is named nowhere, is registered no more, and is gone within a day.'
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
            AND ends_at > deleted_at));

\echo 'ales: No more ales are counted for the members of a room than were counted in the room.'
SELECT rooms.id::text FROM rooms JOIN members ON room_id = rooms.id
GROUP BY rooms.id HAVING sum(ales_sent) > rooms.ales;

\echo 'not-oneself: No person meets themself.'
SELECT room_id::text FROM members JOIN registrations ON registrations.id = registration_id
WHERE left_revision IS NULL AND user_id IS NOT NULL
GROUP BY room_id, user_id HAVING count(*) > 1;

\echo 'blocks: No two people meet if either had blocked the other before the room opened.'
-- A block and a match at the same moment may be in either order: seconds are left out.
SELECT DISTINCT one.room_id::text FROM blocks
JOIN registrations AS mine ON mine.user_id = blocks.user_id
JOIN members AS one ON one.registration_id = mine.id
JOIN members AS other ON other.room_id = one.room_id AND other.registration_id <> one.registration_id
    AND one.joined_revision < coalesce(other.left_revision, 2147483647)
    AND other.joined_revision < coalesce(one.left_revision, 2147483647)
JOIN registrations AS theirs ON theirs.id = other.registration_id AND theirs.user_id = blocks.other_id
JOIN rooms ON rooms.id = one.room_id
WHERE removed_at IS NULL AND blocks.created_at < rooms.opened_at - interval '10 seconds';

\echo 'invited-together: Two who were paired by an invite before the opening share a room.'
SELECT guest.id::text FROM intents
JOIN registrations AS guest ON guest.id = intents.registration_id
JOIN registrations AS host ON host.id = intents.invited_by
JOIN slots ON slots.starts_at = guest.starts_at
WHERE guest.cancelled_at IS NULL AND host.cancelled_at IS NULL
    AND guest.user_id IS NOT NULL AND host.user_id IS NOT NULL
    AND greatest(guest.created_at, host.created_at) < opened_at - interval '10 seconds'
    AND EXISTS (SELECT FROM members WHERE registration_id = guest.id AND joined_revision = 1)
    AND EXISTS (SELECT FROM members WHERE registration_id = host.id AND joined_revision = 1)
    AND NOT EXISTS (SELECT FROM members AS one JOIN members AS other USING (room_id)
        WHERE one.registration_id = guest.id AND other.registration_id = host.id)
    AND NOT EXISTS (SELECT FROM blocks
        WHERE (user_id = guest.user_id AND other_id = host.user_id)
            OR (user_id = host.user_id AND other_id = guest.user_id));

\echo 'favourites-only: A favourites-only person meets no stranger.'
SELECT DISTINCT mine.id::text FROM intents
JOIN registrations AS mine ON mine.id = intents.registration_id
JOIN members AS one ON one.registration_id = mine.id
JOIN members AS other ON other.room_id = one.room_id AND other.registration_id <> one.registration_id
    AND one.joined_revision < coalesce(other.left_revision, 2147483647)
    AND other.joined_revision < coalesce(one.left_revision, 2147483647)
JOIN registrations AS theirs ON theirs.id = other.registration_id
WHERE favourites_only AND mine.user_id IS NOT NULL AND theirs.user_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM favourites
        WHERE user_id = mine.user_id AND other_id = theirs.user_id)
    -- Friends of friends may come by invites.
    AND NOT EXISTS (SELECT FROM members AS any_one
        JOIN intents AS invited ON invited.invited_by IS NOT NULL
            AND any_one.registration_id IN (invited.registration_id, invited.invited_by)
        WHERE any_one.room_id = one.room_id);

\echo 'invites-once: An invite is used once.'
SELECT invited_by::text FROM intents WHERE invited_by IS NOT NULL
GROUP BY invited_by
HAVING count(*) > (SELECT count(*) FROM invites
    WHERE invites.registration_id = intents.invited_by AND used_at IS NOT NULL);

\echo 'told-everywhere: A notification has its deliveries to the webhooks of its user.'
-- Deliveries are kept for 30 days. A webhook's types never change, those of a device may.
SELECT notifications.id::text FROM endpoints
JOIN notifications ON notifications.user_id = endpoints.user_id
    AND notifications.created_at > endpoints.created_at + interval '30 seconds'
    AND notifications.created_at > now() - interval '25 days'
    AND (disabled_at IS NULL OR notifications.created_at < disabled_at - interval '30 seconds')
    AND (types IS NULL OR type = ANY (types))
WHERE kind = 'webhook' AND NOT EXISTS (
    SELECT FROM deliveries
    WHERE notification_id = notifications.id AND endpoint_id = endpoints.id);

\echo 'own-endpoint: What a user is told goes to the endpoints of that user, once to each.'
SELECT 'msg_' || deliveries.id FROM deliveries
JOIN notifications ON notifications.id = notification_id
JOIN endpoints ON endpoints.id = endpoint_id
WHERE notifications.user_id <> endpoints.user_id
UNION ALL
SELECT 'msg_' || min(id) FROM deliveries WHERE notification_id IS NOT NULL
GROUP BY notification_id, endpoint_id HAVING count(*) > 1;

\echo 'delivered-by-attempt: What counts as delivered was sent.'
SELECT 'msg_' || id FROM deliveries WHERE outcome = 'delivered' AND attempts = 0;

\echo 'not-expired-early: What is not sent since it comes too late is too late.'
SELECT 'msg_' || id FROM deliveries
WHERE outcome = 'expired' AND settled_at < expires_at - interval '2 seconds';

\echo 'superseded-by-later: A change of a room that was not sent has a later one in its stead.'
SELECT 'msg_' || deliveries.id FROM deliveries
JOIN notifications ON notifications.id = notification_id
WHERE outcome = 'superseded' AND (attempts > 0 OR NOT EXISTS (
    SELECT FROM notifications AS later
    JOIN deliveries AS replacing
        ON replacing.notification_id = later.id AND replacing.endpoint_id = deliveries.endpoint_id
    WHERE later.user_id = notifications.user_id AND later.room_id = notifications.room_id
        AND later.type = 'room.changed' AND later.id > notifications.id));

\echo 'one-owner: A device or a browser gets the notifications of one account.'
SELECT min(id::text) FROM endpoints WHERE kind <> 'webhook'
GROUP BY kind, address HAVING count(*) > 1;

\echo 'past-sums: The sums of slots that were removed fit together.'
SELECT user_id::text FROM past_sums
LEFT JOIN (SELECT user_id, sum(times) AS times FROM past_entries GROUP BY user_id) AS entry
    USING (user_id)
WHERE entries <> coalesce(times, 0) OR current_streak > longest_streak
    OR longest_streak > attended
    OR least(attended, missed, cancelled, current_streak, ales_sent, ales_received) < 0;

\echo 'not-early: Nothing is told before its time.'
-- `LEAD_SECONDS` is less than the length of a slot.
SELECT notifications.id::text FROM notifications
JOIN registrations ON registrations.id = registration_id
JOIN slots USING (starts_at)
WHERE CASE WHEN type LIKE 'session.%' THEN notifications.created_at < ends_at
    WHEN type = 'room.opened' THEN notifications.created_at < starts_at - (ends_at - starts_at)
    ELSE false END;

\echo 'slots-in-order: A slot opens, is served and closes in this order, and closes after its end.'
SELECT starts_at::text FROM slots
WHERE closed_at < ends_at OR served_at < date_trunc('second', starts_at) OR served_at >= ends_at
    OR closed_at < greatest(closing_at, opened_at) - interval '5 seconds';
