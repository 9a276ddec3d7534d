-- Tasks that are registered again and again by a rule. The foreign keys of both tables are there from the beginning: the
-- tables are empty.
CREATE TABLE routines (
    id           uuid PRIMARY KEY,
    -- squawk-ignore adding-foreign-key-constraint
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    task         text NOT NULL,
    tag          text,
    rrule        text NOT NULL,
    -- The first day that may be one of the rule.
    start_date   date NOT NULL,
    local_time   time NOT NULL,
    time_zone    text NOT NULL,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,
    paused_at    timestamptz,
    -- The first day for which the routine as it is now speaks; occurrences before it stay as they were.
    acts_from    date NOT NULL,
    -- When its occurrences were last registered.
    planned_at   timestamptz NOT NULL,
    -- When that is due again; NULL: never, as it is paused or has no day ahead.
    due_at       timestamptz
);
CREATE INDEX routines_by_user ON routines (user_id, id);
CREATE INDEX routines_by_due ON routines (due_at) WHERE due_at IS NOT NULL;

-- What became of the days of a routine. A day without a row is still to be registered. A registration that was cancelled
-- keeps its row, so that its day is left out.
CREATE TABLE routine_occurrences (
    routine_id      uuid NOT NULL REFERENCES routines ON DELETE CASCADE,
    date            date NOT NULL,
    -- NULL: the day is left out.
    starts_at       timestamptz,
    -- squawk-ignore adding-foreign-key-constraint
    registration_id uuid UNIQUE REFERENCES registrations ON DELETE CASCADE,
    outcome         text NOT NULL
        CHECK (outcome IN ('registered', 'skipped', 'conflict', 'limit', 'attendance', 'off-grid', 'late')),
    PRIMARY KEY (routine_id, date),
    CONSTRAINT routine_occurrences_one_start UNIQUE (routine_id, starts_at),
    CONSTRAINT routine_occurrences_started CHECK ((outcome = 'skipped') = (starts_at IS NULL)),
    CONSTRAINT routine_occurrences_registered CHECK ((outcome = 'registered') = (registration_id IS NOT NULL))
);
