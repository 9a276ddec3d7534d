-- With whom people want to work in one slot, and invites, by which two are certain to. There are rows only
-- for those who asked for something, so that nobody else's registration costs more. The foreign keys are
-- there from the beginning: the tables are empty.

-- squawk-ignore adding-foreign-key-constraint
CREATE TABLE intents (
    registration_id uuid PRIMARY KEY REFERENCES registrations ON DELETE CASCADE,
    -- Meets only people who are favourites, and those who are paired by an invite.
    favourites_only boolean NOT NULL DEFAULT false,
    -- Wants no ales.
    quiet           boolean NOT NULL DEFAULT false,
    -- The registration whose invite was used. NULL: none, or it was removed since.
    invited_by      uuid REFERENCES registrations ON DELETE SET NULL,
    CONSTRAINT intents_somebody_else CHECK (invited_by <> registration_id)
);
-- For parties, and for registrations that are removed.
CREATE INDEX intents_by_inviter ON intents (invited_by);

-- The code of an invite is random in every bit, so that a plain hash of it cannot be searched. One that was
-- used stays as long as the registration, so that the next who has it can be told.
-- squawk-ignore adding-foreign-key-constraint
CREATE TABLE invites (
    hash            bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
    registration_id uuid NOT NULL REFERENCES registrations ON DELETE CASCADE,
    created_at      timestamptz NOT NULL,
    used_at         timestamptz
);
CREATE UNIQUE INDEX invites_one_unused ON invites (registration_id) WHERE used_at IS NULL;
CREATE INDEX invites_by_registration ON invites (registration_id);

-- The answer that shows an invite is kept under an idempotency key as others are. The table holds the keys of
-- one day, so that it is read quickly.
-- squawk-ignore ban-drop-constraint
ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_secret_check;
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_secret_check
    CHECK (secret IN ('token', 'account', 'recovery', 'webhook', 'calendar', 'invite'));
