-- The keys of the accounts that there are already. Meanwhile people sign up, sign in and change their names; only who
-- replaces a token or deletes the account waits. A key that was replaced before its row was read is read as it is now.
INSERT INTO tokens (user_id, number, hash, created_at)
SELECT id, token_version, token_hash, created_at FROM users FOR KEY SHARE
ON CONFLICT DO NOTHING;
