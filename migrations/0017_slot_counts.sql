-- How many are registered for each slot: what was counted, and what has changed since. Whoever writes registrations, by
-- whatever statement, writes the change in the same transaction, so that the sum is exact in every snapshot. A change is a
-- row of its own, so that nobody waits for another's; servers add them up in the background.

CREATE TABLE IF NOT EXISTS slot_counts (
    starts_at timestamptz PRIMARY KEY REFERENCES slots ON DELETE CASCADE,
    people    bigint NOT NULL
);

CREATE TABLE IF NOT EXISTS slot_count_changes (
    starts_at timestamptz NOT NULL,
    id        bigint GENERATED ALWAYS AS IDENTITY,
    change    bigint NOT NULL,
    PRIMARY KEY (starts_at, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE OR REPLACE FUNCTION count_registrations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO slot_count_changes (starts_at, change)
        SELECT starts_at, count(*) FROM registrations_after WHERE cancelled_at IS NULL GROUP BY starts_at;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO slot_count_changes (starts_at, change)
        SELECT starts_at, -count(*) FROM registrations_before WHERE cancelled_at IS NULL GROUP BY starts_at;
    ELSE
        INSERT INTO slot_count_changes (starts_at, change)
        SELECT starts_at, sum(change)
        FROM (
            SELECT starts_at, -1 AS change FROM registrations_before WHERE cancelled_at IS NULL
            UNION ALL
            SELECT starts_at, 1 FROM registrations_after WHERE cancelled_at IS NULL) AS part
        GROUP BY starts_at
        HAVING sum(change) <> 0;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER registrations_inserted_are_counted AFTER INSERT ON registrations
    REFERENCING NEW TABLE AS registrations_after
    FOR EACH STATEMENT EXECUTE FUNCTION count_registrations();
CREATE OR REPLACE TRIGGER registrations_updated_are_counted AFTER UPDATE ON registrations
    REFERENCING OLD TABLE AS registrations_before NEW TABLE AS registrations_after
    FOR EACH STATEMENT EXECUTE FUNCTION count_registrations();
CREATE OR REPLACE TRIGGER registrations_deleted_are_counted AFTER DELETE ON registrations
    REFERENCING OLD TABLE AS registrations_before
    FOR EACH STATEMENT EXECUTE FUNCTION count_registrations();
