-- How many registrations an account has made on its last day of use, cancelled ones included: a quota that removing rows
-- does not give back. Each account has one row at most, so that the table needs no cleaning. The foreign key is there from
-- the beginning: the table is empty.
-- squawk-ignore adding-foreign-key-constraint
CREATE TABLE registrations_made (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    -- A day of UTC.
    day     date NOT NULL,
    made    bigint NOT NULL CHECK (made >= 0)
) WITH (fillfactor = 75);
