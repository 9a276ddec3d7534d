-- migrate: outside a transaction
-- Cancelled registrations that nobody was told of are removed after a day: without this index all registrations would be
-- read for that.
CREATE INDEX CONCURRENTLY IF NOT EXISTS registrations_cancelled ON registrations (cancelled_at)
    WHERE cancelled_at IS NOT NULL;
