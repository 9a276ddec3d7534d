-- Secrets that were replaced, while messages are still signed with them too. Each has its time, however often the secret
-- is replaced meanwhile.
CREATE TABLE retired_secrets (
    endpoint_id uuid NOT NULL REFERENCES endpoints ON DELETE CASCADE,
    secret      bytea NOT NULL CHECK (octet_length(secret) BETWEEN 24 AND 64),
    valid_until timestamptz NOT NULL,
    PRIMARY KEY (endpoint_id, secret)
);
INSERT INTO retired_secrets (endpoint_id, secret, valid_until)
SELECT id, previous_secret, previous_until FROM endpoints WHERE previous_secret IS NOT NULL;
ALTER TABLE endpoints DROP COLUMN previous_secret, DROP COLUMN previous_until;

-- As before, except that an endpoint which is removed at the same time is waited for, and then left out: the opening of a
-- slot must not fail for it.
CREATE OR REPLACE FUNCTION deliver_notifications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM endpoints) THEN
        RETURN NULL;
    END IF;
    INSERT INTO deliveries (endpoint_id, notification_id, priority, due_at, expires_at)
    SELECT endpoint.id, notice.id,
        CASE notice.type WHEN 'room.opened' THEN 0 WHEN 'room.changed' THEN 1 ELSE 2 END,
        notice.created_at,
        CASE WHEN notice.type IN ('room.opened', 'room.changed') THEN
            CASE WHEN endpoint.kind = 'webhook' OR notice.created_at >= slot.starts_at THEN slot.ends_at
            ELSE slot.starts_at END
        END
    FROM notices AS notice
    JOIN endpoints AS endpoint ON endpoint.user_id = notice.user_id AND endpoint.disabled_at IS NULL
        AND (endpoint.types IS NULL OR notice.type = ANY (endpoint.types))
    JOIN registrations AS registration ON registration.id = notice.registration_id
    JOIN slots AS slot ON slot.starts_at = registration.starts_at
    ORDER BY notice.id, endpoint.id
    FOR KEY SHARE OF endpoint;
    RETURN NULL;
END
$$;

-- What is old is found by its time: it is not always at the front.
CREATE INDEX deliveries_settled ON deliveries (settled_at) WHERE settled_at IS NOT NULL;
CREATE INDEX attempts_by_time ON attempts (at);
