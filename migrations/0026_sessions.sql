-- migrate: outside a transaction
-- Sessions of browsers: tokens that browsers keep as cookies. Each ends with the token that it was made by.
ALTER TABLE tokens ADD COLUMN IF NOT EXISTS made_by integer;
-- migrate: next
-- It is made anew in the next statement: the part before may have been done already.
-- squawk-ignore ban-drop-constraint
ALTER TABLE tokens DROP CONSTRAINT IF EXISTS tokens_made_by;
ALTER TABLE tokens ADD CONSTRAINT tokens_made_by FOREIGN KEY (user_id, made_by)
    REFERENCES tokens (user_id, number) ON DELETE CASCADE NOT VALID;
-- migrate: next
ALTER TABLE tokens VALIDATE CONSTRAINT tokens_made_by;
-- migrate: next
-- What has expired is removed in the background.
CREATE INDEX CONCURRENTLY IF NOT EXISTS tokens_by_expiry ON tokens (expires_at) WHERE expires_at IS NOT NULL;
-- migrate: next
-- A token that is deleted is looked for among those that made sessions.
CREATE INDEX CONCURRENTLY IF NOT EXISTS tokens_by_maker ON tokens (user_id, made_by);
