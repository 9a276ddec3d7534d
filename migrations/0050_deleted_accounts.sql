-- migrate: outside a transaction
-- The time at which the account was deleted. Its rows are removed in batches afterwards. Queries about people read the
-- view `accounts`, which has the accounts that are not deleted.
ALTER TABLE users ADD COLUMN IF NOT EXISTS deleted_at timestamptz;
-- migrate: next
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_deleted ON users (id) WHERE deleted_at IS NOT NULL;
-- migrate: next
CREATE OR REPLACE VIEW accounts AS SELECT * FROM users WHERE deleted_at IS NULL;
