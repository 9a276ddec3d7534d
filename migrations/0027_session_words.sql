-- What people say about their sessions: a few words at the start, and how it went. A table of its own leaves the rows
-- of registrations alone, which matches read. The foreign keys are there from the beginning: the table is empty.
-- squawk-ignore adding-foreign-key-constraint
CREATE TABLE session_words (
    registration_id uuid PRIMARY KEY REFERENCES registrations ON DELETE CASCADE,
    -- Whoever says it: the words go with the account, while the registration may stay, of a former user.
    user_id         uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    check_in        text CHECK (char_length(check_in) BETWEEN 1 AND 200),
    outcome         text CHECK (outcome IN ('done', 'partly', 'not')),
    note            text CHECK (char_length(note) BETWEEN 1 AND 200),
    -- Grows with every change, so that a room that reads the words twice knows which are newer.
    revision        integer NOT NULL DEFAULT 1,
    updated_at      timestamptz NOT NULL,
    CONSTRAINT session_words_note_of_outcome CHECK (note IS NULL OR outcome IS NOT NULL)
);
CREATE INDEX session_words_by_user ON session_words (user_id);

-- The outcomes of slots that are removed.
ALTER TABLE past_sums
    ADD COLUMN done     bigint NOT NULL DEFAULT 0,
    ADD COLUMN partly   bigint NOT NULL DEFAULT 0,
    ADD COLUMN not_done bigint NOT NULL DEFAULT 0;
