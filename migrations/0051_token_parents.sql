-- migrate: outside a transaction
-- The token that made another token: its end is the end of those that it made. NULL is the main token, which is replaced
-- when it is renewed, or for operators a sign-in.
ALTER TABLE tokens ADD COLUMN IF NOT EXISTS parent integer;
-- migrate: next
-- The next statement adds the constraint again, since this part can run twice.
-- squawk-ignore ban-drop-constraint
ALTER TABLE tokens DROP CONSTRAINT IF EXISTS tokens_parent;
ALTER TABLE tokens ADD CONSTRAINT tokens_parent FOREIGN KEY (user_id, parent)
    REFERENCES tokens (user_id, number) ON DELETE CASCADE NOT VALID;
-- migrate: next
ALTER TABLE tokens VALIDATE CONSTRAINT tokens_parent;
-- migrate: next
ALTER TABLE operator_tokens ADD COLUMN IF NOT EXISTS parent bigint;
-- migrate: next
-- squawk-ignore ban-drop-constraint
ALTER TABLE operator_tokens DROP CONSTRAINT IF EXISTS operator_tokens_parent;
ALTER TABLE operator_tokens ADD CONSTRAINT operator_tokens_parent FOREIGN KEY (parent)
    REFERENCES operator_tokens ON DELETE CASCADE NOT VALID;
-- migrate: next
ALTER TABLE operator_tokens VALIDATE CONSTRAINT operator_tokens_parent;
-- migrate: next
CREATE INDEX CONCURRENTLY IF NOT EXISTS tokens_of_parent ON tokens (user_id, parent);
-- migrate: next
CREATE INDEX CONCURRENTLY IF NOT EXISTS operator_tokens_of_parent ON operator_tokens (parent);
