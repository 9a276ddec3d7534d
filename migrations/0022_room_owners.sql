-- Which server has a room in memory, and how often that has changed. A room without an owner belongs to the first server
-- that claims it; servers of the previous release make such rooms, and admit everybody to every room.
ALTER TABLE rooms
    ADD COLUMN IF NOT EXISTS owner uuid,
    ADD COLUMN IF NOT EXISTS term integer NOT NULL DEFAULT 0;

-- The rooms that were taken from an owner, for that owner to read: it may live, and not know.
CREATE TABLE IF NOT EXISTS lost_rooms (
    owner   uuid NOT NULL,
    room_id uuid NOT NULL REFERENCES rooms ON DELETE CASCADE,
    PRIMARY KEY (owner, room_id)
);
-- For rooms that are deleted.
CREATE INDEX IF NOT EXISTS lost_rooms_by_room ON lost_rooms (room_id);
