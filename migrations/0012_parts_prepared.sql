-- migrate: outside a transaction
-- Deliveries and attempts are to be divided into partitions; what is there becomes the first one of each.
-- Here everything is prepared that takes long, while the tables are used as they are.
CREATE INDEX CONCURRENTLY IF NOT EXISTS deliveries_by_id ON deliveries (id);
-- migrate: next
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS attempts_by_id ON attempts (id, at);
-- migrate: next
CREATE TABLE IF NOT EXISTS deliveries_parts (LIKE deliveries INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
    PARTITION BY RANGE (notification_id);
CREATE TABLE IF NOT EXISTS deliveries_others (LIKE deliveries INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
CREATE TABLE IF NOT EXISTS attempts_parts (LIKE attempts INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
    PARTITION BY RANGE (at);
CREATE TABLE IF NOT EXISTS attempts_others (LIKE attempts INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
-- migrate: next
-- Until the change no test of an endpoint is stored, and the caller is asked to try again in a minute: only
-- the partition of all others takes what is of no notification. It takes what is beyond the first partitions
-- too, should the change be long in coming: such a delivery is late, and nothing fails.
CREATE OR REPLACE FUNCTION keep_delivery_aside() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.notification_id IS NOT NULL THEN
        INSERT INTO deliveries_others VALUES (NEW.*);
    END IF;
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION keep_attempt_aside() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO attempts_others VALUES (NEW.*);
    RETURN NULL;
END
$$;
-- The first partition ends at an id that is not drawn before the change, or so soon after it.
DO $$
DECLARE
    last bigint := pg_sequence_last_value(pg_get_serial_sequence('notifications', 'id')::regclass);
    first_end bigint := coalesce(last + 10000000, 1);
    first_week_end timestamptz := date_trunc('week', now(), 'UTC') + interval '336 hours';
BEGIN
    IF EXISTS (SELECT FROM pg_constraint WHERE conname = 'deliveries_range') THEN
        RETURN;
    END IF;
    EXECUTE format(
        'CREATE TRIGGER deliveries_are_kept_aside BEFORE INSERT ON deliveries '
        'FOR EACH ROW WHEN (NEW.notification_id IS NULL OR NEW.notification_id >= %s) '
        'EXECUTE FUNCTION keep_delivery_aside()', first_end);
    WITH test AS (DELETE FROM deliveries WHERE notification_id IS NULL RETURNING *)
    INSERT INTO deliveries_others SELECT * FROM test;
    EXECUTE format(
        'ALTER TABLE deliveries ADD CONSTRAINT deliveries_range '
        'CHECK (notification_id IS NOT NULL AND notification_id < %s) NOT VALID', first_end);
    EXECUTE format(
        'CREATE TRIGGER attempts_are_kept_aside BEFORE INSERT ON attempts '
        'FOR EACH ROW WHEN (NEW.at >= %L) EXECUTE FUNCTION keep_attempt_aside()', first_week_end);
    EXECUTE format(
        'ALTER TABLE attempts ADD CONSTRAINT attempts_range CHECK (at < %L) NOT VALID', first_week_end);
END
$$;
-- migrate: next
-- squawk-ignore prefer-robust-stmts
ALTER TABLE deliveries VALIDATE CONSTRAINT deliveries_range;
-- migrate: next
-- squawk-ignore prefer-robust-stmts
ALTER TABLE attempts VALIDATE CONSTRAINT attempts_range;
