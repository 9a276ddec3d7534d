-- Deliveries by ranges of their notifications: a part in which all is old is dropped as a whole. The part of
-- all others has the tests of endpoints, and what no other part is there for. The names go to the parents,
-- which programs know the tables by, within one short transaction. What is new on a parent has no rows to
-- look at, and the first partition has the same already.
-- squawk-ignore-file renaming-table, renaming-object, ban-drop-constraint, ban-alter-identity
-- squawk-ignore-file constraint-missing-not-valid, require-concurrent-index-creation
-- squawk-ignore-file adding-foreign-key-constraint, disallowed-unique-constraint, ban-drop-function
LOCK TABLE notifications IN ACCESS EXCLUSIVE MODE;
LOCK TABLE endpoints IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE deliveries IN ACCESS EXCLUSIVE MODE;
LOCK TABLE deliveries_others IN ACCESS EXCLUSIVE MODE;

DROP TRIGGER deliveries_are_kept_aside ON deliveries;
DROP FUNCTION keep_delivery_aside();
-- They have no foreign key yet: an endpoint that was deleted meanwhile has left its own behind.
DELETE FROM deliveries_others
WHERE NOT EXISTS (SELECT FROM endpoints WHERE endpoints.id = deliveries_others.endpoint_id);
ALTER TABLE deliveries RENAME TO deliveries_first;
ALTER TABLE deliveries_parts RENAME TO deliveries;

ALTER TABLE deliveries_first
    RENAME CONSTRAINT deliveries_notification_id_endpoint_id_key TO deliveries_first_once;
ALTER TABLE deliveries_first DROP CONSTRAINT deliveries_pkey;
ALTER INDEX deliveries_by_id RENAME TO deliveries_first_by_id;
ALTER INDEX deliveries_waiting RENAME TO deliveries_first_waiting;
ALTER INDEX deliveries_by_endpoint RENAME TO deliveries_first_by_endpoint;
ALTER INDEX deliveries_settled RENAME TO deliveries_first_settled;

ALTER TABLE deliveries
    ADD CONSTRAINT deliveries_notification_id_endpoint_id_key UNIQUE (notification_id, endpoint_id);
CREATE INDEX deliveries_by_id ON deliveries (id);
CREATE INDEX deliveries_waiting ON deliveries (priority, due_at, id) WHERE settled_at IS NULL;
CREATE INDEX deliveries_by_endpoint ON deliveries (endpoint_id, id);
CREATE INDEX deliveries_settled ON deliveries (settled_at) WHERE settled_at IS NOT NULL;
ALTER TABLE deliveries
    ADD CONSTRAINT deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES endpoints ON DELETE CASCADE;
-- Only the trigger writes deliveries of notifications, in the same statement, and they go with the endpoint,
-- which has the same owner as the notification. A foreign key would look into every partition for each
-- notification that is removed.
ALTER TABLE deliveries_first DROP CONSTRAINT deliveries_notification_id_fkey;

CREATE SEQUENCE deliveries_ids AS bigint OWNED BY deliveries.id;
DO $$
DECLARE
    ids regclass := pg_get_serial_sequence('deliveries_first', 'id')::regclass;
    numbers regclass := pg_get_serial_sequence('notifications', 'id')::regclass;
    first_end bigint := substring(pg_get_constraintdef(oid) FROM '< ''?(\d+)')::bigint
        FROM pg_constraint WHERE conname = 'deliveries_range';
    lower bigint := first_end;
BEGIN
    PERFORM setval('deliveries_ids', coalesce(pg_sequence_last_value(ids), 0) + 1, false);
    -- From PostgreSQL 17 on a partition may not come with an identity column.
    ALTER TABLE deliveries_first ALTER COLUMN id DROP IDENTITY;
    EXECUTE format(
        'ALTER TABLE deliveries ATTACH PARTITION deliveries_first FOR VALUES FROM (MINVALUE) TO (%s)', first_end);
    -- What was kept aside stays among all others: ids go on with a range that has nothing yet.
    WHILE lower <= coalesce(pg_sequence_last_value(numbers), 0) LOOP
        lower := lower + 100000000;
    END LOOP;
    FOR number IN 0..1 LOOP
        EXECUTE format(
            'CREATE TABLE deliveries_%s PARTITION OF deliveries FOR VALUES FROM (%1$s) TO (%s)',
            lower + number * 100000000, lower + (number + 1) * 100000000);
    END LOOP;
END
$$;
ALTER TABLE deliveries ALTER COLUMN id SET DEFAULT nextval('deliveries_ids');
ALTER TABLE deliveries ATTACH PARTITION deliveries_others DEFAULT;

-- The first partition is complete: the next notification goes to the next one. A sequence that was set stays
-- so where the transaction fails: it is the last step that can.
DO $$
DECLARE
    lower bigint := min(substring(pg_get_expr(relpartbound, child.oid) FROM 'FROM \(''(\d+)''\)')::bigint)
        FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
        WHERE inhparent = 'deliveries'::regclass;
BEGIN
    IF lower > 1 THEN
        PERFORM setval(pg_get_serial_sequence('notifications', 'id'), lower - 1);
    END IF;
END
$$;
ALTER TABLE deliveries_first DROP CONSTRAINT deliveries_range;
