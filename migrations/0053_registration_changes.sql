-- The number of changes of a registration, which calendars give as SEQUENCE (RFC 5545 §3.8.7.4).
--
-- Registrations that exist have no number until their next change. Until then a calendar gives what it gave before: the
-- seconds between the registration and its last change, rounded up. Their count begins with the seconds until now, plus
-- one, which is above all that calendars gave for them. A column without a default rewrites no row; the default that is
-- set after it holds for new rows alone.
ALTER TABLE registrations ADD COLUMN change_count integer;
ALTER TABLE registrations ALTER COLUMN change_count SET DEFAULT 0;

CREATE FUNCTION count_registration_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.change_count := 1 + coalesce(
        OLD.change_count,
        greatest(0, ceil(extract(epoch FROM greatest(OLD.updated_at, now()) - OLD.created_at))));
    RETURN NEW;
END
$$;

CREATE TRIGGER registrations_count_their_changes BEFORE UPDATE ON registrations
FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION count_registration_change();
