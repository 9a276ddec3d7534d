-- migrate: outside a transaction
-- The desk finds people by the beginning of their name, in any case of any script. Databases with the locale C, as those
-- of the image and the private one, know the case of ASCII letters only; ICU knows that of all. Capitals are compared:
-- small letters depend on what follows them (the final sigma). PostgreSQL without ICU goes on with its own locale.
DO $$
BEGIN
    IF to_regcollation('pg_catalog."und-x-icu"') IS NULL THEN
        CREATE OR REPLACE FUNCTION folded_name(name text) RETURNS text
            LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT pg_catalog.upper(name)';
    ELSE
        CREATE OR REPLACE FUNCTION folded_name(name text) RETURNS text
            LANGUAGE sql IMMUTABLE PARALLEL SAFE
            AS 'SELECT pg_catalog.upper(name COLLATE pg_catalog."und-x-icu")';
    END IF;
END
$$;
-- migrate: next
-- users_by_name serves the release before.
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_by_folded_name ON users (folded_name(name) COLLATE "C", id);
