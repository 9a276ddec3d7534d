-- The keys that clients have given their requests (Idempotency-Key), with the answers: a request that comes
-- again takes no effect, and gets the same answer. Written in the transaction of the effect, and kept for a
-- day.
CREATE TABLE idempotency_keys (
    -- A digest of the key and of whose it is.
    name        bytea PRIMARY KEY CHECK (octet_length(name) = 32),
    -- The account whose key it is, or that was made under it. NULL: an account was not made.
    user_id     uuid REFERENCES users ON DELETE CASCADE,
    -- A digest of the method, the path and the body.
    fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
    made_at     timestamptz NOT NULL,
    -- The answer. NULL: the request has had its effect, and its answer is not known yet.
    status      integer,
    fields      text,
    body        bytea,
    -- Where in the rest of the body the text was that is not stored: the secret, or else the request's id.
    gaps        integer[],
    -- What kind of secret the answer shows, and a digest of it. It follows from the salt and from a key of
    -- the servers, and cannot be shown again without the salt. The first use of a token erases the salt of
    -- the answer that shows it; other salts stay as long as the row.
    secret      text CHECK (secret IN ('token', 'account', 'recovery', 'webhook', 'calendar')),
    secret_hash bytea,
    salt        bytea,
    CHECK ((status IS NULL) = (body IS NULL) AND (status IS NULL) = (fields IS NULL)),
    CHECK ((secret IS NULL) = (secret_hash IS NULL) AND (secret IS NOT NULL OR salt IS NULL))
);
-- For the removal of old ones.
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (made_at);
-- For accounts that are deleted.
CREATE INDEX idempotency_keys_by_user ON idempotency_keys (user_id);

-- The name of the idempotency key under which a token was made, until the token is first used.
ALTER TABLE tokens ADD COLUMN made_under bytea;
