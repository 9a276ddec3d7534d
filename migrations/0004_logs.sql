-- Where the room went on, when the member's socket was opened last: in the memory of one server, with the ales that were
-- sent there. What another server remembers of the room is out of date.
ALTER TABLE members ADD COLUMN log uuid;
