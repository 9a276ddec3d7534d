-- The codes by which people make accounts while sign-ups are closed, and those by which people whose account an
-- operator has made sign in for the first time. Both are stored as hashes, and removed after `expires_at`.
CREATE TABLE sign_up_codes (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash       bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    operator   text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    uses       integer NOT NULL CHECK (uses > 0),
    used       integer NOT NULL DEFAULT 0 CHECK (used >= 0 AND used <= uses)
);

CREATE TABLE sign_in_codes (
    user_id    uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    hash       bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);

-- When a person made an account by the invite. That does not use it up.
ALTER TABLE invites ADD COLUMN let_in_at timestamptz;
