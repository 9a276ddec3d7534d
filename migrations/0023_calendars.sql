-- Secret addresses from which calendar programs read an account's registrations. The secret is random in every bit, so
-- that a plain hash of it cannot be searched. The foreign key is there from the beginning: the table is empty.
-- squawk-ignore adding-foreign-key-constraint
CREATE TABLE calendars (
    id           uuid PRIMARY KEY,
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    hash         bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    created_at   timestamptz NOT NULL,
    -- When a program read it, to the hour; NULL: never.
    last_read_at timestamptz
);
CREATE INDEX calendars_by_user ON calendars (user_id, id);
