-- How servers reach each other, and until when each may be relied on: `alive_until` is renewed by the clock of the
-- database. It is NULL for a server of the previous version, which has no lease.
ALTER TABLE servers
    ADD COLUMN IF NOT EXISTS address text,
    ADD COLUMN IF NOT EXISTS server_name text,
    ADD COLUMN IF NOT EXISTS state text NOT NULL DEFAULT 'serving' CHECK (state IN ('serving', 'draining')),
    ADD COLUMN IF NOT EXISTS weight integer NOT NULL DEFAULT 1,
    ADD COLUMN IF NOT EXISTS alive_until timestamptz,
    ADD COLUMN IF NOT EXISTS version text,
    ADD COLUMN IF NOT EXISTS boot uuid;
