-- People, slots, registrations, rooms, members and notifications.
--
-- Truth lives in constraints: one live registration for a user and a slot, one room for a registration and one
-- room.opened for a member are unique indexes, which no crash, race or second server can break.

CREATE TABLE users (
    id            uuid PRIMARY KEY,
    name          text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 64),
    time_zone     text NOT NULL,
    token_hash    bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    -- Tickets name the version of the token that they were made under.
    token_version integer NOT NULL DEFAULT 1,
    created_at    timestamptz NOT NULL
);

-- A slot that somebody registered for: the scheduler's list of work.
CREATE TABLE slots (
    starts_at timestamptz PRIMARY KEY,
    ends_at   timestamptz NOT NULL,
    -- When its first match was committed.
    opened_at timestamptz,
    -- The first instant inside the slot at which a server was up; none where the service was down for all of it.
    served_at timestamptz,
    -- When its rooms were closed and everybody was told.
    closed_at timestamptz,
    CHECK (ends_at > starts_at)
);
CREATE INDEX slots_unfinished ON slots (starts_at) WHERE closed_at IS NULL;

CREATE TABLE registrations (
    id           uuid PRIMARY KEY,
    -- NULL once the account was deleted: a former user, of whom neither task nor tag is kept.
    user_id      uuid REFERENCES users,
    starts_at    timestamptz NOT NULL REFERENCES slots,
    task         text CHECK (char_length(task) BETWEEN 1 AND 200),
    tag          text CHECK (char_length(tag) BETWEEN 1 AND 32),
    adjusted     text CHECK (adjusted IN ('gap', 'overlap')),
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,
    cancelled_at timestamptz,
    CHECK ((user_id IS NULL) = (task IS NULL)),
    CHECK (user_id IS NOT NULL OR tag IS NULL)
);
CREATE UNIQUE INDEX registrations_one_live ON registrations (user_id, starts_at) WHERE cancelled_at IS NULL;
CREATE INDEX registrations_by_user ON registrations (user_id, starts_at, id);
CREATE INDEX registrations_live_by_slot ON registrations (starts_at, id) WHERE cancelled_at IS NULL;

-- A room closes with its slot. Its id is random, because it is unguessable.
CREATE TABLE rooms (
    id        uuid PRIMARY KEY,
    starts_at timestamptz NOT NULL REFERENCES slots,
    opened_at timestamptz NOT NULL,
    -- Grows with every change of who is in it.
    revision  integer NOT NULL DEFAULT 1,
    ales      bigint NOT NULL DEFAULT 0 CHECK (ales >= 0)
);
CREATE INDEX rooms_by_slot ON rooms (starts_at);

-- Who is, or was, in a room: from `joined_revision` up to, not including, `left_revision`.
CREATE TABLE members (
    room_id         uuid NOT NULL REFERENCES rooms,
    registration_id uuid NOT NULL REFERENCES registrations,
    joined_revision integer NOT NULL DEFAULT 1,
    left_revision   integer CHECK (left_revision > joined_revision),
    entered_at      timestamptz,
    -- The server on which one of the member's sockets is open.
    present_on      text,
    ales_sent       bigint NOT NULL DEFAULT 0 CHECK (ales_sent >= 0),
    ales_received   bigint NOT NULL DEFAULT 0 CHECK (ales_received >= 0),
    PRIMARY KEY (room_id, registration_id, joined_revision)
);
CREATE UNIQUE INDEX members_one_room ON members (registration_id) WHERE left_revision IS NULL;
CREATE INDEX members_by_registration ON members (registration_id);

-- Kept, and numbered in the order in which they become visible: ids are drawn under a lock (see the scheduler).
-- Partners are not stored: they are the members of the room as of `revision`.
CREATE TABLE notifications (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id         uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    type            text NOT NULL CHECK (type IN (
        'room.opened', 'room.changed', 'session.missed', 'session.lapsed', 'session.completed')),
    created_at      timestamptz NOT NULL,
    registration_id uuid NOT NULL REFERENCES registrations,
    room_id         uuid REFERENCES rooms,
    revision        integer,
    CHECK ((room_id IS NULL) = (revision IS NULL)),
    CHECK (room_id IS NOT NULL OR type IN ('session.missed', 'session.lapsed'))
);
CREATE UNIQUE INDEX notifications_one_opened ON notifications (registration_id) WHERE type = 'room.opened';
CREATE UNIQUE INDEX notifications_one_end ON notifications (registration_id)
    WHERE type IN ('session.missed', 'session.lapsed', 'session.completed');
CREATE INDEX notifications_by_user ON notifications (user_id, id);

-- What the servers that share this database share besides: the key that signs tickets.
CREATE TABLE secrets (
    name  text PRIMARY KEY,
    value bytea NOT NULL
);
