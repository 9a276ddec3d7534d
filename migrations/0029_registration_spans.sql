-- When the sessions of users are, where slots have several lengths: the start with SLOT_LENGTHS adds a constraint by
-- which those of one user do not overlap. That needs an extension, which others do not need, so it is not made here.
-- Without SLOT_LENGTHS nothing is written here.
CREATE TABLE IF NOT EXISTS registration_spans (
    registration_id uuid PRIMARY KEY REFERENCES registrations ON DELETE CASCADE,
    -- That of the registration, which may lose it.
    user_id         uuid NOT NULL,
    span            tstzrange NOT NULL CONSTRAINT registration_spans_long CHECK (NOT isempty(span))
);

-- A registration that is cancelled, or whose account is deleted, by whatever statement, leaves its time to others.
CREATE OR REPLACE FUNCTION free_span() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM registration_spans WHERE registration_id = NEW.id;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER registrations_that_go_free_their_time AFTER UPDATE OF cancelled_at, user_id ON registrations
    FOR EACH ROW
    WHEN ((OLD.cancelled_at IS NULL AND NEW.cancelled_at IS NOT NULL)
        OR (OLD.user_id IS NOT NULL AND NEW.user_id IS NULL))
    EXECUTE FUNCTION free_span();
