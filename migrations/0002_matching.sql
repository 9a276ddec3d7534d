-- What the matching knows of people beyond who registered, and what it keeps of its decisions.

-- Who does not want to meet whom: either side's word counts for both. A user names the other by a registration
-- that shared a room. What was taken back is kept for long, so that an old match can be explained; it goes with either
-- of the accounts, and the oldest of it where a user takes back very many.
CREATE TABLE blocks (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id         uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    other_id        uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    registration_id uuid NOT NULL REFERENCES registrations,
    report          text CHECK (char_length(report) BETWEEN 1 AND 2000),
    created_at      timestamptz NOT NULL,
    removed_at      timestamptz CHECK (removed_at >= created_at),
    CONSTRAINT blocks_somebody_else CHECK (user_id <> other_id)
);
CREATE UNIQUE INDEX blocks_one_live ON blocks (user_id, other_id) WHERE removed_at IS NULL;
-- For the list, and for accounts and registrations that are deleted.
CREATE INDEX blocks_by_user ON blocks (user_id, id);
CREATE INDEX blocks_by_other ON blocks (other_id);
CREATE INDEX blocks_by_registration ON blocks (registration_id);

CREATE TABLE favourites (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id         uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    other_id        uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    registration_id uuid NOT NULL REFERENCES registrations,
    created_at      timestamptz NOT NULL,
    removed_at      timestamptz CHECK (removed_at >= created_at),
    CONSTRAINT favourites_somebody_else CHECK (user_id <> other_id)
);
CREATE UNIQUE INDEX favourites_one_live ON favourites (user_id, other_id) WHERE removed_at IS NULL;
CREATE INDEX favourites_by_user ON favourites (user_id, id);
CREATE INDEX favourites_by_other ON favourites (other_id);
CREATE INDEX favourites_by_registration ON favourites (registration_id);

-- How the first match of a slot came about: with the seed it can be made again. The costs have no unit (see the
-- documentation of the weights); none can be below the bound.
ALTER TABLE slots
    ADD COLUMN match_seed   bigint,
    ADD COLUMN match_method text CHECK (match_method IN ('bound', 'optimal', 'repaired')),
    ADD COLUMN match_cost   bigint CHECK (match_cost >= 0),
    ADD COLUMN match_bound  bigint CHECK (match_bound >= 0),
    -- When it was read what people knew of each other; who they were, and their blocks, are as of the opening.
    ADD COLUMN matched_as_of timestamptz,
    -- A large match commits in parts of whole rooms: until then the slot is the server's that holds the lease.
    ADD COLUMN leased_by    text,
    ADD COLUMN leased_until timestamptz,
    ADD CHECK ((leased_by IS NULL) = (leased_until IS NULL)),
    ADD CHECK (match_bound <= match_cost);

-- Who was left alone by the first match of a slot, where others had company.
CREATE TABLE left_alone (
    registration_id uuid PRIMARY KEY REFERENCES registrations,
    user_id         uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    starts_at       timestamptz NOT NULL
);
CREATE INDEX left_alone_by_user ON left_alone (user_id, starts_at);

-- When a server was last up while a slot was open, and when none was: nobody missed a session because of that.
CREATE TABLE service (
    is_only  boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    alive_at timestamptz NOT NULL
);
CREATE TABLE outages (
    began_at timestamptz PRIMARY KEY,
    ended_at timestamptz NOT NULL CHECK (ended_at > began_at)
);

-- Since when a member is waited for, where that is not the start of the slot: since it left, or came late.
ALTER TABLE members ADD COLUMN away_since timestamptz;

-- The last batch of counts that each server has stored: one whose COMMIT got no answer is not counted twice.
CREATE TABLE count_batches (
    server text PRIMARY KEY,
    batch  uuid NOT NULL
);
