-- Where each server is reached, whether it takes rooms, and until when it is known to live.
ALTER TABLE servers
    ADD COLUMN IF NOT EXISTS address text,
    ADD COLUMN IF NOT EXISTS server_name text,
    ADD COLUMN IF NOT EXISTS state text NOT NULL DEFAULT 'serving',
    ADD COLUMN IF NOT EXISTS weight integer NOT NULL DEFAULT 1,
    -- NULL: a server of the previous version, which has no lease.
    ADD COLUMN IF NOT EXISTS alive_until timestamptz,
    ADD COLUMN IF NOT EXISTS version text,
    ADD COLUMN IF NOT EXISTS boot uuid;
