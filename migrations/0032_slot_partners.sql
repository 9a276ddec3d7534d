-- Who is alone in a slot that has not opened, so that people are told when that changes. The tables are looked after in
-- the background: a registration costs one row for its slot more, whatever the number of people.

-- What people were last told by. A slot that nobody is registered for has no row, nor has one that has opened. The foreign
-- key is there from the beginning: the table is empty.
-- squawk-ignore adding-foreign-key-constraint
CREATE TABLE slot_partners (
    starts_at   timestamptz PRIMARY KEY REFERENCES slots ON DELETE CASCADE,
    -- The registrations that were there; NULL: too many to be looked at one by one.
    known       uuid[] CHECK (cardinality(known) BETWEEN 1 AND 8),
    -- Those who had nobody to be matched with.
    alone       uuid[] NOT NULL CHECK (cardinality(alone) <= 8),
    -- Until then nobody is told again; NULL: nobody was told yet.
    rests_until timestamptz,
    CONSTRAINT slot_partners_alone_of_known CHECK (known IS NULL OR alone <@ known)
);

-- Slots in which somebody may have become alone, or no longer be. A row is written in the transaction that changes
-- something, and is removed in the one that tells of it.
CREATE TABLE slot_changes (
    starts_at timestamptz NOT NULL,
    id        bigint GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (starts_at, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- As before, and notes the slots whose number of people has changed.
CREATE OR REPLACE FUNCTION count_registrations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        WITH counted AS (
            INSERT INTO slot_count_changes (starts_at, change)
            SELECT starts_at, count(*) FROM registrations_after WHERE cancelled_at IS NULL GROUP BY starts_at
            RETURNING starts_at
        )
        INSERT INTO slot_changes (starts_at) SELECT starts_at FROM counted;
    ELSIF TG_OP = 'DELETE' THEN
        WITH counted AS (
            INSERT INTO slot_count_changes (starts_at, change)
            SELECT starts_at, -count(*) FROM registrations_before WHERE cancelled_at IS NULL GROUP BY starts_at
            RETURNING starts_at
        )
        INSERT INTO slot_changes (starts_at) SELECT starts_at FROM counted;
    ELSE
        WITH counted AS (
            INSERT INTO slot_count_changes (starts_at, change)
            SELECT starts_at, sum(change)
            FROM (
                SELECT starts_at, -1 AS change FROM registrations_before WHERE cancelled_at IS NULL
                UNION ALL
                SELECT starts_at, 1 FROM registrations_after WHERE cancelled_at IS NULL) AS part
            GROUP BY starts_at
            HAVING sum(change) <> 0
            RETURNING starts_at
        )
        INSERT INTO slot_changes (starts_at) SELECT starts_at FROM counted;
    END IF;
    RETURN NULL;
END
$$;

-- Whoever is registered already, so that they are told of the first change that comes. Blocks are left out: of two who
-- have blocked each other, each may be told once that they are alone.
INSERT INTO slot_partners (starts_at, known, alone)
SELECT slots.starts_at, CASE WHEN count(*) <= 8 THEN array_agg(person.id) END,
    CASE WHEN count(*) = 1 THEN array_agg(person.id) ELSE '{}' END
FROM slots
CROSS JOIN LATERAL (
    SELECT id FROM registrations
    WHERE registrations.starts_at = slots.starts_at AND cancelled_at IS NULL
    ORDER BY id
    LIMIT 9
) AS person
WHERE slots.starts_at > now() AND opened_at IS NULL AND closed_at IS NULL
GROUP BY slots.starts_at;
