-- Attempts by weeks. The names go to the parents, which programs know the tables by, within one short
-- transaction. What is new on a parent has no rows to look at, and the first partition has the same already.
-- squawk-ignore-file renaming-table, renaming-object, ban-drop-constraint, ban-alter-identity
-- squawk-ignore-file constraint-missing-not-valid, require-concurrent-index-creation
-- squawk-ignore-file adding-foreign-key-constraint, adding-serial-primary-key-field, ban-drop-function
LOCK TABLE endpoints IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE attempts IN ACCESS EXCLUSIVE MODE;
LOCK TABLE attempts_others IN ACCESS EXCLUSIVE MODE;

DROP TRIGGER attempts_are_kept_aside ON attempts;
DROP FUNCTION keep_attempt_aside();
-- They have no foreign key yet: an endpoint that was deleted meanwhile has left its own behind.
DELETE FROM attempts_others
WHERE NOT EXISTS (SELECT FROM endpoints WHERE endpoints.id = attempts_others.endpoint_id);
ALTER TABLE attempts RENAME TO attempts_first;
ALTER TABLE attempts_parts RENAME TO attempts;

ALTER TABLE attempts_first DROP CONSTRAINT attempts_pkey;
ALTER TABLE attempts_first ADD CONSTRAINT attempts_first_pkey PRIMARY KEY USING INDEX attempts_by_id;
ALTER INDEX attempts_by_endpoint RENAME TO attempts_first_by_endpoint;
ALTER INDEX attempts_by_time RENAME TO attempts_first_by_time;

ALTER TABLE attempts ADD CONSTRAINT attempts_pkey PRIMARY KEY (id, at);
CREATE INDEX attempts_by_endpoint ON attempts (endpoint_id, id);
CREATE INDEX attempts_by_time ON attempts (at);
ALTER TABLE attempts
    ADD CONSTRAINT attempts_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES endpoints ON DELETE CASCADE;

CREATE SEQUENCE attempts_ids AS bigint OWNED BY attempts.id;
DO $$
DECLARE
    ids regclass := pg_get_serial_sequence('attempts_first', 'id')::regclass;
    first_end timestamptz := substring(pg_get_constraintdef(oid) FROM '''([^'']+)''')::timestamptz
        FROM pg_constraint WHERE conname = 'attempts_range';
    week timestamptz;
BEGIN
    PERFORM setval('attempts_ids', coalesce(pg_sequence_last_value(ids), 0) + 1, false);
    -- From PostgreSQL 17 on a partition may not come with an identity column.
    ALTER TABLE attempts_first ALTER COLUMN id DROP IDENTITY;
    EXECUTE format(
        'ALTER TABLE attempts ATTACH PARTITION attempts_first FOR VALUES FROM (MINVALUE) TO (%L)', first_end);
    FOR number IN 0..1 LOOP
        week := first_end + number * interval '168 hours';
        -- What was kept aside stays among all others.
        CONTINUE WHEN EXISTS (
            SELECT FROM attempts_others WHERE at >= week AND at < week + interval '168 hours');
        EXECUTE format(
            'CREATE TABLE attempts_%s PARTITION OF attempts FOR VALUES FROM (%L) TO (%L)',
            to_char(week AT TIME ZONE 'UTC', 'YYYYMMDD'), week, week + interval '168 hours');
    END LOOP;
END
$$;
ALTER TABLE attempts_first DROP CONSTRAINT attempts_range;
ALTER TABLE attempts ALTER COLUMN id SET DEFAULT nextval('attempts_ids');
ALTER TABLE attempts ATTACH PARTITION attempts_others DEFAULT;
