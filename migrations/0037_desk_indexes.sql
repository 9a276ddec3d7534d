-- migrate: outside a transaction
-- Nobody is told twice.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS notifications_one_announcement
    ON notifications (announcement_id, user_id) WHERE announcement_id IS NOT NULL;
-- migrate: next
-- People are found by the beginning of their name, in either case, and by the beginning of a token.
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_by_name ON users (lower(name) COLLATE "C", id);
-- migrate: next
CREATE INDEX CONCURRENTLY IF NOT EXISTS tokens_by_prefix ON tokens (prefix) WHERE prefix IS NOT NULL;
-- migrate: next
CREATE INDEX CONCURRENTLY IF NOT EXISTS endpoints_failing ON endpoints (id)
    WHERE failing_since IS NOT NULL OR disabled_at IS NOT NULL;
-- migrate: next
CREATE INDEX CONCURRENTLY IF NOT EXISTS left_alone_by_slot ON left_alone (starts_at);
