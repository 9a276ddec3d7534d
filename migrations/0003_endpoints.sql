-- Where notifications go besides the list and the stream, and what came of each.

CREATE TABLE endpoints (
    id              uuid PRIMARY KEY,
    user_id         uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    kind            text NOT NULL CHECK (kind IN ('webhook', 'apns', 'webpush')),
    -- A URL, or the device's token.
    address         text NOT NULL CHECK (char_length(address) BETWEEN 1 AND 2048),
    -- What shares a bound and a circuit: a host and its port, or a push service.
    host            text NOT NULL,
    -- NULL: all, also those that are still to come.
    types           text[] CHECK (cardinality(types) > 0),
    environment     text CHECK (environment IN ('production', 'sandbox')),
    p256dh          bytea CHECK (octet_length(p256dh) = 65),
    auth            bytea CHECK (octet_length(auth) = 16),
    secret          bytea CHECK (octet_length(secret) BETWEEN 24 AND 64),
    previous_secret bytea CHECK (octet_length(previous_secret) BETWEEN 24 AND 64),
    previous_until  timestamptz,
    created_at      timestamptz NOT NULL,
    -- Since when every attempt has failed.
    failing_since   timestamptz,
    disabled_at     timestamptz,
    reason          text,
    UNIQUE (user_id, kind, address),
    CHECK ((kind = 'webhook') = (secret IS NOT NULL)),
    CHECK ((kind = 'apns') = (environment IS NOT NULL)),
    CHECK ((kind = 'webpush') = (p256dh IS NOT NULL AND auth IS NOT NULL)),
    CHECK ((previous_secret IS NULL) = (previous_until IS NULL)),
    CHECK ((disabled_at IS NULL) = (reason IS NULL))
);

-- Who delivers. What a courier has claimed is nobody else's while it is alive.
CREATE TABLE couriers (
    name        text PRIMARY KEY,
    alive_until timestamptz NOT NULL
);

CREATE TABLE deliveries (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    endpoint_id     uuid NOT NULL REFERENCES endpoints ON DELETE CASCADE,
    -- NULL: a test.
    notification_id bigint REFERENCES notifications ON DELETE CASCADE,
    -- The lower goes first.
    priority        smallint NOT NULL,
    due_at          timestamptz NOT NULL,
    -- From then on it has lost its point.
    expires_at      timestamptz,
    courier         text,
    attempts        smallint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    settled_at      timestamptz,
    outcome         text CHECK (outcome IN ('delivered', 'exhausted', 'refused', 'expired', 'gone')),
    UNIQUE (notification_id, endpoint_id),
    CHECK ((settled_at IS NULL) = (outcome IS NULL)),
    CHECK (settled_at IS NULL OR courier IS NULL)
);
CREATE INDEX deliveries_waiting ON deliveries (priority, due_at, id) WHERE settled_at IS NULL;
CREATE INDEX deliveries_by_endpoint ON deliveries (endpoint_id, id);

CREATE TABLE attempts (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    delivery_id bigint NOT NULL,
    endpoint_id uuid NOT NULL REFERENCES endpoints ON DELETE CASCADE,
    at          timestamptz NOT NULL,
    -- NULL: it came too late, and nothing was sent.
    seconds     double precision CHECK (seconds >= 0),
    outcome     text NOT NULL CHECK (outcome IN (
        'delivered', 'retried', 'exhausted', 'refused', 'expired', 'gone')),
    detail      text NOT NULL
);
CREATE INDEX attempts_by_endpoint ON attempts (endpoint_id, id);

-- Whoever writes notifications, by whatever statement, writes the deliveries with them. A push is of use until the
-- slot begins, what comes after that and what programs receive until it ends.
CREATE FUNCTION deliver_notifications() RETURNS trigger LANGUAGE plpgsql AS $$
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
    ORDER BY notice.id, endpoint.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER notifications_are_delivered AFTER INSERT ON notifications
    REFERENCING NEW TABLE AS notices
    FOR EACH STATEMENT EXECUTE FUNCTION deliver_notifications();
