-- The keys to the accounts. The account and the number name a key; tickets carry both.
CREATE TABLE tokens (
    user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    number        integer NOT NULL,
    hash          bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    created_at    timestamptz NOT NULL,
    -- NULL: the key is in use. Else it is the account's next one: its first use until then ends the one before it.
    pending_until timestamptz,
    PRIMARY KEY (user_id, number)
);
CREATE UNIQUE INDEX tokens_one_pending ON tokens (user_id) WHERE pending_until IS NOT NULL;

-- The key in use stands in users too, where the release before this one reads and writes it. Whoever writes it there ends
-- every other key of the account, by whatever statement and in whichever release.
CREATE FUNCTION keep_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM tokens WHERE user_id = NEW.id AND number <> NEW.token_version;
    INSERT INTO tokens (user_id, number, hash, created_at)
    VALUES (NEW.id, NEW.token_version, NEW.token_hash, now())
    ON CONFLICT (user_id, number) DO UPDATE SET hash = excluded.hash, pending_until = NULL;
    RETURN NULL;
END
$$;

CREATE TRIGGER users_keep_tokens AFTER INSERT OR UPDATE OF token_hash, token_version ON users
    FOR EACH ROW EXECUTE FUNCTION keep_tokens();
