-- Which servers there are: who was present on one that is gone for good is not present any more.
CREATE TABLE servers (
    name     text PRIMARY KEY,
    -- When it last said so, by the clock of the database, while a slot was open.
    alive_at timestamptz NOT NULL
);
