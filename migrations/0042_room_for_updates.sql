-- Whoever enters, leaves or is sent ales gets a new version of a row of members, and the room one of its own, every few
-- seconds for as long as a session takes. Where the page has space for it, the indexes need no new entries, and the
-- old version is cleared away with the next one (heap-only tuples). Pages that were filled before stay as they are.
ALTER TABLE members SET (fillfactor = 75);
ALTER TABLE rooms SET (fillfactor = 75);
