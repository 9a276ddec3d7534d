-- Since when a webhook's receiver is known to want what comes: it has echoed a signed challenge. NULL: it has not.
ALTER TABLE endpoints ADD COLUMN verified_at timestamptz;
