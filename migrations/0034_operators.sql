-- Who operates the service for others, what they did, and what they need to help people: suspensions, reports and notes.
-- All tables are new. The foreign keys are there from the beginning: the tables are empty.

CREATE TABLE operators (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name           text NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9._-]{0,31}$'),
    role           text NOT NULL CHECK (role IN ('viewer', 'support', 'admin')),
    salt           bytea NOT NULL CHECK (octet_length(salt) = 16),
    -- scrypt (RFC 7914) of the password, with the parameters that it was made with; the cost is a power of two.
    password_hash  bytea NOT NULL CHECK (octet_length(password_hash) = 32),
    cost           integer NOT NULL CHECK (cost BETWEEN 10 AND 24),
    block_size     integer NOT NULL CHECK (block_size BETWEEN 1 AND 64),
    parallelism    integer NOT NULL CHECK (parallelism BETWEEN 1 AND 64),
    -- The secret of one-time codes (RFC 6238), and the step of the last one, which is not taken twice.
    code_secret    bytea CHECK (octet_length(code_secret) BETWEEN 16 AND 64),
    code_step      bigint NOT NULL DEFAULT 0,
    created_at     timestamptz NOT NULL,
    disabled_at    timestamptz,
    last_seen_at   timestamptz
);

-- squawk-ignore adding-foreign-key-constraint
CREATE TABLE operator_sessions (
    hash        bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
    operator_id bigint NOT NULL REFERENCES operators ON DELETE CASCADE,
    created_at  timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL
);
CREATE INDEX operator_sessions_by_operator ON operator_sessions (operator_id, created_at);

-- Tokens of scripts: the beginning tells one from another.
-- squawk-ignore adding-foreign-key-constraint
CREATE TABLE operator_tokens (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    operator_id  bigint NOT NULL REFERENCES operators ON DELETE CASCADE,
    hash         bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    prefix       text NOT NULL,
    label        text NOT NULL CHECK (char_length(label) BETWEEN 1 AND 64),
    role         text NOT NULL CHECK (role IN ('viewer', 'support', 'admin')),
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    last_used_at timestamptz
);
CREATE INDEX operator_tokens_by_operator ON operator_tokens (operator_id, id);

-- The addresses from which an operator has signed in: there no delay shuts the operator out.
-- squawk-ignore adding-foreign-key-constraint
CREATE TABLE operator_addresses (
    operator_id bigint NOT NULL REFERENCES operators ON DELETE CASCADE,
    address     text NOT NULL,
    last_at     timestamptz NOT NULL,
    PRIMARY KEY (operator_id, address)
);

-- What operators did: entries are only added, and each has a digest of itself and of the one before. What was before and
-- after is here as salted digests only; the words are in a table of their own, from which they can be erased.
CREATE TABLE audit (
    id         bigint PRIMARY KEY CHECK (id > 0),
    at         timestamptz NOT NULL,
    operator   text NOT NULL,
    action     text NOT NULL,
    subject    text NOT NULL,
    before     bytea CHECK (octet_length(before) = 32),
    after      bytea CHECK (octet_length(after) = 32),
    request_id text NOT NULL,
    hash       bytea NOT NULL CHECK (octet_length(hash) = 32)
);
CREATE INDEX audit_by_time ON audit (at);
CREATE INDEX audit_by_operator ON audit (operator, id);
CREATE INDEX audit_by_action ON audit (action, id);
CREATE INDEX audit_by_subject ON audit (subject, id);

CREATE FUNCTION keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- The beginning of the chain is cut off by the one statement that says so, and signs where it begins from then on.
    IF TG_OP = 'DELETE' AND coalesce(current_setting('letsswitch.cuts_audit', true), '') = 'yes' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'the audit log is only added to';
END
$$;
CREATE TRIGGER audit_is_only_added_to AFTER UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION keep_audit();

-- squawk-ignore adding-foreign-key-constraint
CREATE TABLE audit_words (
    audit_id bigint PRIMARY KEY REFERENCES audit ON DELETE CASCADE,
    -- Whom the words are about: they go with the account.
    person   uuid REFERENCES users ON DELETE CASCADE,
    salt     bytea NOT NULL CHECK (octet_length(salt) = 32),
    -- JSON, as the digests have it.
    before   text,
    after    text
);
CREATE INDEX audit_words_by_person ON audit_words (person);

-- Where the chain begins and where it ends, signed by the service: the digest is that of the entry with the id, which for
-- the beginning is the last one that was cut off.
CREATE TABLE audit_marks (
    name      text PRIMARY KEY CHECK (name IN ('start', 'head')),
    last_id   bigint NOT NULL,
    hash      bytea NOT NULL CHECK (octet_length(hash) = 32),
    signature bytea NOT NULL CHECK (octet_length(signature) = 32)
);

-- Who may not sign in, until when (NULL: until it is lifted), and why.
-- squawk-ignore adding-foreign-key-constraint
CREATE TABLE suspensions (
    user_id  uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    since    timestamptz NOT NULL,
    until    timestamptz,
    reason   text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 200),
    operator text NOT NULL
);

-- What people report when they block somebody. A report goes with the account of whoever wrote it, and stays when the
-- reported account is deleted: then it has a pseudonym, the same in all reports of one person.
-- squawk-ignore adding-foreign-key-constraint
CREATE TABLE reports (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    block_id        bigint NOT NULL UNIQUE,
    at              timestamptz NOT NULL,
    by_id           uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    about_id        uuid REFERENCES users ON DELETE SET NULL,
    pseudonym       text NOT NULL,
    starts_at       timestamptz,
    room_id         uuid,
    text            text NOT NULL CHECK (char_length(text) BETWEEN 1 AND 2000),
    state           text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'taken', 'closed')),
    outcome         text CHECK (outcome IN ('dismissed', 'suspended')),
    taken_by        text,
    closed_at       timestamptz,
    CONSTRAINT reports_closed CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
    CONSTRAINT reports_outcome CHECK (outcome IS NULL OR state = 'closed')
);
CREATE INDEX reports_by_state ON reports (state, id);
CREATE INDEX reports_by_author ON reports (by_id);
CREATE INDEX reports_by_subject ON reports (about_id);
CREATE INDEX reports_by_time ON reports (at);

-- A key that no account tells: a pseudonym cannot be computed from the id of a person by who reads the reports alone.
INSERT INTO secrets (name, value)
VALUES ('report-pseudonyms', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'))
ON CONFLICT DO NOTHING;

-- Whoever writes a report, by whatever statement and in whichever release, writes it here too.
CREATE FUNCTION keep_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO reports (block_id, at, by_id, about_id, pseudonym, starts_at, room_id, text)
    SELECT NEW.id, NEW.created_at, NEW.user_id, NEW.other_id,
        'person-' || left(encode(sha256(secret.value || uuid_send(NEW.other_id)), 'hex'), 12),
        registration.starts_at,
        (SELECT room_id FROM members WHERE registration_id = NEW.registration_id ORDER BY joined_revision DESC LIMIT 1),
        NEW.report
    FROM secrets AS secret
    LEFT JOIN registrations AS registration ON registration.id = NEW.registration_id
    WHERE secret.name = 'report-pseudonyms'
    ON CONFLICT (block_id) DO UPDATE SET text = excluded.text;
    RETURN NULL;
END
$$;
CREATE TRIGGER blocks_keep_reports AFTER INSERT OR UPDATE OF report ON blocks
    FOR EACH ROW WHEN (NEW.report IS NOT NULL) EXECUTE FUNCTION keep_report();

-- What operators note about a person, or about a report.
-- squawk-ignore adding-foreign-key-constraint
CREATE TABLE operator_notes (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at        timestamptz NOT NULL,
    operator  text NOT NULL,
    person    uuid REFERENCES users ON DELETE CASCADE,
    report_id bigint REFERENCES reports ON DELETE CASCADE,
    text      text NOT NULL CHECK (char_length(text) BETWEEN 1 AND 2000),
    CONSTRAINT operator_notes_one_subject CHECK (num_nonnulls(person, report_id) = 1)
);
CREATE INDEX operator_notes_by_person ON operator_notes (person, id);
CREATE INDEX operator_notes_by_report ON operator_notes (report_id, id);

-- What operators announce, to everybody, to the people of a slot or to one person. People are told in parts, in the order
-- of their ids: `reached` is the last one who was.
-- squawk-ignore adding-foreign-key-constraint
CREATE TABLE announcements (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at        timestamptz NOT NULL,
    operator  text NOT NULL,
    text      text NOT NULL CHECK (char_length(text) BETWEEN 1 AND 500),
    audience  text NOT NULL CHECK (audience IN ('everybody', 'slot', 'person')),
    starts_at timestamptz,
    person    uuid REFERENCES users ON DELETE CASCADE,
    reached   uuid,
    people    bigint NOT NULL DEFAULT 0,
    done_at   timestamptz,
    CONSTRAINT announcements_slot CHECK ((audience = 'slot') = (starts_at IS NOT NULL)),
    CONSTRAINT announcements_person CHECK ((audience = 'person') = (person IS NOT NULL))
);
CREATE INDEX announcements_unfinished ON announcements (id) WHERE done_at IS NULL;
CREATE INDEX announcements_by_person ON announcements (person);
