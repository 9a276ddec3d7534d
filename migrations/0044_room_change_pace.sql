-- Of the changes of one room an endpoint gets the first three at once, and then at most one in ten seconds. A delivery
-- that a later one replaces before its time is settled as superseded. The rows that are there satisfy the constraint of
-- before, which allows less, so that they need not be read again.
-- squawk-ignore ban-drop-constraint
ALTER TABLE deliveries DROP CONSTRAINT deliveries_outcome_check;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_outcome_check CHECK (outcome IN (
    'delivered', 'exhausted', 'refused', 'expired', 'gone', 'superseded')) NOT VALID;

-- Spaces out the deliveries of a change that has just been written. `earlier` are the notifications of the latest
-- earlier changes of the same room for the same user, the newest first.
CREATE FUNCTION pace_room_change(
    change bigint, endpoint uuid, written_at timestamptz, starts_at timestamptz, ends_at timestamptz, earlier bigint[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    pause CONSTANT interval := '10 seconds';
    latest record;
    due timestamptz := written_at + pause;
BEGIN
    IF 3 > (SELECT count(*) FROM deliveries WHERE notification_id = ANY (earlier) AND endpoint_id = endpoint) THEN
        RETURN;
    END IF;
    -- A row that is locked is being claimed or settled: it counts as sent now.
    SELECT delivery.due_at, delivery.settled_at, delivery.courier IS NULL AND delivery.attempts = 0 AS is_untouched
    INTO latest
    FROM deliveries AS delivery
    WHERE delivery.notification_id = earlier[1] AND delivery.endpoint_id = endpoint
    FOR UPDATE SKIP LOCKED;
    IF latest.settled_at IS NOT NULL THEN
        due := greatest(written_at, latest.settled_at + pause);
    ELSIF latest.is_untouched AND latest.due_at BETWEEN written_at - pause AND written_at THEN
        -- It is being sent: otherwise a fast sequence of changes could replace each one before it is sent.
        due := greatest(written_at, latest.due_at + pause);
    ELSIF latest.is_untouched THEN
        due := greatest(written_at, latest.due_at);
        UPDATE deliveries SET settled_at = written_at, outcome = 'superseded'
        WHERE notification_id = earlier[1] AND endpoint_id = endpoint;
    END IF;
    IF latest.is_untouched AND latest.due_at <= written_at THEN
        -- Changes that nothing could send in time are not sent together later.
        UPDATE deliveries SET settled_at = written_at, outcome = 'superseded'
        WHERE id = ANY (ARRAY(
            SELECT stale.id
            FROM notifications AS this
            JOIN notifications AS other ON other.user_id = this.user_id AND other.room_id = this.room_id
                AND other.type = 'room.changed' AND other.id < this.id
            JOIN deliveries AS stale ON stale.notification_id = other.id AND stale.endpoint_id = endpoint
            WHERE this.id = change AND stale.settled_at IS NULL AND stale.courier IS NULL AND stale.attempts = 0
                AND stale.due_at < written_at - pause
            FOR UPDATE OF stale SKIP LOCKED));
    END IF;
    UPDATE deliveries
    SET due_at = due, expires_at = CASE WHEN due >= starts_at THEN ends_at ELSE expires_at END
    WHERE notification_id = change AND endpoint_id = endpoint;
END
$$;

-- As before, with the pace of room changes.
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
