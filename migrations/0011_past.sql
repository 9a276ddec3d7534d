-- What is kept of slots that are removed: sums of a user, and who has met whom. Slots are removed in their
-- order, so that everything in these tables was before everything that is left.
CREATE TABLE IF NOT EXISTS past_sums (
    user_id        uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    attended       bigint NOT NULL,
    missed         bigint NOT NULL,
    -- Cancelled when the room was open already.
    cancelled      bigint NOT NULL,
    -- Attended in a row, at the end and at most.
    current_streak bigint NOT NULL,
    longest_streak bigint NOT NULL,
    ales_sent      bigint NOT NULL,
    ales_received  bigint NOT NULL,
    -- Entries that say how punctual the user was, and after how many seconds they were, together.
    entries        bigint NOT NULL,
    entry_seconds  numeric NOT NULL,
    -- The last slots in which the user was left alone, and had a room.
    alone_at       timestamptz,
    seated_at      timestamptz
);

-- How often a user entered after so many whole seconds: a median cannot be had from a sum.
CREATE TABLE IF NOT EXISTS past_entries (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    seconds bigint NOT NULL,
    times   bigint NOT NULL,
    PRIMARY KEY (user_id, seconds)
);

-- Two people who have been in a room together.
CREATE TABLE IF NOT EXISTS past_meetings (
    one_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    other_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The start of the last slot, and in how many slots.
    last_at  timestamptz NOT NULL,
    times    bigint NOT NULL,
    PRIMARY KEY (one_id, other_id),
    CONSTRAINT past_meetings_once CHECK (one_id < other_id)
);
CREATE INDEX IF NOT EXISTS past_meetings_by_other ON past_meetings (other_id);

-- How far the removal of old slots has come.
CREATE TABLE IF NOT EXISTS retention (
    is_only      boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    -- When the log has announced it: what was there before goes seven days later at the earliest.
    announced_at timestamptz NOT NULL,
    -- Until then it rests.
    rests_until  timestamptz NOT NULL
);

-- A block, or a mark, outlives the registration by which it names somebody: the id stays, and is looked for
-- here.
-- squawk-ignore ban-drop-constraint
ALTER TABLE blocks DROP CONSTRAINT IF EXISTS blocks_registration_id_fkey;
-- squawk-ignore ban-drop-constraint
ALTER TABLE favourites DROP CONSTRAINT IF EXISTS favourites_registration_id_fkey;

-- Large tables, of which little changes each day: by PostgreSQL's defaults a fifth would have to be dead
-- first.
ALTER TABLE registrations SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE rooms SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE members SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE notifications SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
