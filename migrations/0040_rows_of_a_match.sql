-- A match writes members and notifications by the million. Half of the time went into looking up, row by row, the
-- room that the same transaction had just written, and the registration that it had read under the lock of the slot.
-- Only the removal of slots that ended weeks ago deletes rooms, and registrations that were ever in one: it holds that
-- lock too, and deletes what refers to them first. `letsswitch-server verify` looks for rows that refer to nothing
-- (`Reference`). The key to users stays: it keeps a match and the deletion of an account apart.
-- squawk-ignore ban-drop-constraint
ALTER TABLE members DROP CONSTRAINT members_room_id_fkey, DROP CONSTRAINT members_registration_id_fkey;
-- squawk-ignore ban-drop-constraint
ALTER TABLE notifications DROP CONSTRAINT notifications_registration_id_fkey, DROP CONSTRAINT notifications_room_id_fkey;
