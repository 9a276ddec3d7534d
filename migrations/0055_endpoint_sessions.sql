-- migrate: outside a transaction
-- The session by which a browser was registered, which ends the endpoint with it. NULL: none, or one of before this
-- column.
ALTER TABLE endpoints ADD COLUMN IF NOT EXISTS session integer;
-- migrate: next
-- The instant at which the last push of an endpoint was written, since its session has expired.
ALTER TABLE endpoints ADD COLUMN IF NOT EXISTS farewell_at timestamptz;
-- migrate: next
-- The next statement adds the constraint again, since this part can run twice.
-- squawk-ignore ban-drop-constraint
ALTER TABLE endpoints DROP CONSTRAINT IF EXISTS endpoints_session;
ALTER TABLE endpoints ADD CONSTRAINT endpoints_session FOREIGN KEY (user_id, session)
    REFERENCES tokens (user_id, number) ON DELETE CASCADE NOT VALID;
-- migrate: next
ALTER TABLE endpoints VALIDATE CONSTRAINT endpoints_session;
-- migrate: next
CREATE INDEX CONCURRENTLY IF NOT EXISTS endpoints_by_session ON endpoints (user_id, session);
