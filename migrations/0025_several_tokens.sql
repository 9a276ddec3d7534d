-- migrate: outside a transaction
-- Several tokens of one account. The main one, which stands in users too, has a positive number, and its next one the
-- number after it; the others have negative numbers, of which `last_token` counts the last, so that none is used twice:
-- tickets name them.
ALTER TABLE users ADD COLUMN IF NOT EXISTS last_token integer NOT NULL DEFAULT 0;
-- migrate: next
ALTER TABLE tokens
    -- What its owner calls it; NULL for the main one.
    ADD COLUMN IF NOT EXISTS label text,
    -- The beginning of the token, by which its owner tells it from others; NULL for one that is older than this column.
    ADD COLUMN IF NOT EXISTS prefix text,
    ADD COLUMN IF NOT EXISTS expires_at timestamptz,
    -- The last use, to the minute.
    ADD COLUMN IF NOT EXISTS last_used_at timestamptz;
-- migrate: next
-- It is made anew in the next statement: the part before may have been done already.
-- squawk-ignore ban-drop-constraint
ALTER TABLE tokens DROP CONSTRAINT IF EXISTS tokens_labelled;
ALTER TABLE tokens ADD CONSTRAINT tokens_labelled CHECK (char_length(label) BETWEEN 1 AND 64) NOT VALID;
-- migrate: next
ALTER TABLE tokens VALIDATE CONSTRAINT tokens_labelled;
-- migrate: next
-- Whoever writes the main token ends the one before it, and none of the others.
CREATE OR REPLACE FUNCTION keep_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM tokens WHERE user_id = NEW.id AND number > 0 AND number <> NEW.token_version;
    INSERT INTO tokens (user_id, number, hash, created_at)
    VALUES (NEW.id, NEW.token_version, NEW.token_hash, now())
    ON CONFLICT (user_id, number) DO UPDATE SET hash = excluded.hash, pending_until = NULL;
    RETURN NULL;
END
$$;
-- migrate: next
-- The way back into an account whose tokens are lost.
CREATE TABLE IF NOT EXISTS recovery_codes (
    user_id        uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    hash           bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    created_at     timestamptz NOT NULL,
    -- The code that was used last: the answer to it may be lost, so it works again until then, or until the token of
    -- that answer is used.
    previous_hash  bytea UNIQUE CHECK (octet_length(previous_hash) = 32),
    previous_until timestamptz
);
