-- A device's token or a browser's subscription belongs to the account that gave it last: on a shared device somebody
-- else's partners must not appear. Whoever inserts one, in whichever release, takes it over; one waits for the other.
CREATE FUNCTION take_over_push_endpoint() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(x'70757368'::int, hashtext(NEW.kind || ' ' || NEW.address));
    DELETE FROM endpoints
    WHERE kind = NEW.kind AND address = NEW.address AND kind <> 'webhook' AND user_id <> NEW.user_id;
    RETURN NEW;
END
$$;

CREATE TRIGGER endpoints_take_over BEFORE INSERT ON endpoints
    FOR EACH ROW WHEN (NEW.kind <> 'webhook') EXECUTE FUNCTION take_over_push_endpoint();

DELETE FROM endpoints AS older USING endpoints AS newer
WHERE older.kind <> 'webhook' AND newer.kind = older.kind AND newer.address = older.address
    AND (newer.created_at, newer.id) > (older.created_at, older.id);

CREATE UNIQUE INDEX endpoints_one_push_owner ON endpoints (kind, address) WHERE kind <> 'webhook';
