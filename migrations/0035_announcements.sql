-- A notification is about a registration, or about an announcement. The rows that are there satisfy the constraints of
-- before, which allow less, so that they need not be read again. A server of an earlier release passes over announcements.
ALTER TABLE notifications ADD COLUMN announcement_id bigint;
-- squawk-ignore ban-drop-not-null
ALTER TABLE notifications ALTER COLUMN registration_id DROP NOT NULL;
-- squawk-ignore ban-drop-constraint
ALTER TABLE notifications DROP CONSTRAINT notifications_type_check, DROP CONSTRAINT notifications_check1;
ALTER TABLE notifications
    ADD CONSTRAINT notifications_type_check CHECK (type IN (
        'room.opened', 'room.changed', 'session.missed', 'session.lapsed', 'session.completed',
        'slot.partnered', 'slot.alone', 'announcement')) NOT VALID,
    ADD CONSTRAINT notifications_check1 CHECK (
        room_id IS NOT NULL
        OR type IN (
            'session.missed', 'session.lapsed', 'slot.partnered', 'slot.alone', 'announcement')) NOT VALID,
    ADD CONSTRAINT notifications_subject CHECK (
        CASE WHEN type = 'announcement' THEN announcement_id IS NOT NULL AND registration_id IS NULL
        ELSE announcement_id IS NULL AND registration_id IS NOT NULL END) NOT VALID;

-- As before, and for announcements, which are of use for a day.
CREATE OR REPLACE FUNCTION deliver_notifications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM endpoints) THEN
        RETURN NULL;
    END IF;
    INSERT INTO deliveries (endpoint_id, notification_id, priority, due_at, expires_at)
    SELECT endpoint.id, notice.id,
        CASE notice.type WHEN 'room.opened' THEN 0 WHEN 'room.changed' THEN 1 ELSE 2 END,
        notice.created_at,
        CASE
            WHEN notice.type IN ('room.opened', 'room.changed') THEN
                CASE WHEN endpoint.kind = 'webhook' OR notice.created_at >= slot.starts_at THEN slot.ends_at
                ELSE slot.starts_at END
            WHEN notice.type IN ('slot.partnered', 'slot.alone') THEN slot.starts_at
            WHEN notice.type = 'announcement' THEN notice.created_at + interval '24 hours'
        END
    FROM notices AS notice
    JOIN endpoints AS endpoint ON endpoint.user_id = notice.user_id AND endpoint.disabled_at IS NULL
        AND (notice.type = ANY (endpoint.types)
            OR endpoint.types IS NULL
                AND (endpoint.kind = 'webhook' OR notice.type NOT IN ('slot.partnered', 'slot.alone')))
    LEFT JOIN registrations AS registration ON registration.id = notice.registration_id
    LEFT JOIN slots AS slot ON slot.starts_at = registration.starts_at
    WHERE slot.starts_at IS NOT NULL OR notice.type = 'announcement'
    ORDER BY notice.id, endpoint.id
    FOR KEY SHARE OF endpoint;
    RETURN NULL;
END
$$;
