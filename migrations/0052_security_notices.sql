-- Announcements that go to every endpoint of a person, whatever types it asks for: those about the security of the account.
ALTER TABLE announcements ADD COLUMN to_all_endpoints boolean NOT NULL DEFAULT false;

-- The former definition, with announcements to all endpoints.
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
                AND (endpoint.kind = 'webhook' OR notice.type NOT IN ('slot.partnered', 'slot.alone'))
            OR notice.type = 'announcement' AND EXISTS (
                SELECT FROM announcements WHERE id = notice.announcement_id AND to_all_endpoints))
    LEFT JOIN registrations AS registration ON registration.id = notice.registration_id
    LEFT JOIN slots AS slot ON slot.starts_at = registration.starts_at
    WHERE slot.starts_at IS NOT NULL OR notice.type = 'announcement'
    ORDER BY notice.id, endpoint.id
    FOR KEY SHARE OF endpoint;

    PERFORM pace_room_change(
        notice.id, delivery.endpoint_id, notice.created_at, slot.starts_at, slot.ends_at, earlier.ids)
    FROM notices AS notice
    CROSS JOIN LATERAL (
        SELECT array_agg(recent.id ORDER BY recent.id DESC) AS ids
        FROM (
            SELECT change.id
            FROM notifications AS change
            WHERE change.user_id = notice.user_id AND change.room_id = notice.room_id
                AND change.type = 'room.changed' AND change.id < notice.id
                -- The room opened for the user before it changed: older notifications need not be read.
                AND change.id > (SELECT opened.id FROM notifications AS opened
                    WHERE opened.registration_id = notice.registration_id AND opened.type = 'room.opened')
            ORDER BY change.id DESC
            LIMIT 3) AS recent
    ) AS earlier
    JOIN deliveries AS delivery ON delivery.notification_id = notice.id
    JOIN registrations AS registration ON registration.id = notice.registration_id
    JOIN slots AS slot ON slot.starts_at = registration.starts_at
    WHERE notice.type = 'room.changed' AND cardinality(earlier.ids) = 3;
    RETURN NULL;
END
$$;
