-- An operator has closed the room before the end of its slot. Servers of 0.1.0 join rooms with slots, and know one
-- closed_at.
ALTER TABLE rooms ADD COLUMN closed_early_at timestamptz;
