-- The language of pushes to the user, and of answers to requests that ask for none, as a tag (RFC 5646). NULL: none was
-- chosen. The constraint is not validated, since all rows have NULL now.
ALTER TABLE users ADD COLUMN language text;
ALTER TABLE users ADD CONSTRAINT users_language CHECK (language ~ '^[a-z]{2,3}$') NOT VALID;
