extension BenchDatabase {
    /// Writes meetings of all people with all others in the last weeks, at different times: a tournament of
    /// n - 1 rounds, and a quarter of another one in another order after it, so that the oldest round is not
    /// the cheapest pairing.
    func addMeetings(of people: Int) async throws {
        try await run(
            """
            \\set n \(people)
            SET session_replication_role = replica; -- Foreign keys of what is known to be right.
            SELECT setseed(0.42);
            CREATE TEMPORARY TABLE place AS
            SELECT i, row_number() OVER (ORDER BY random()) - 1 AS other
            FROM generate_series(0, :n - 1) AS i;
            CREATE TEMPORARY TABLE meeting AS
            WITH pair AS (
                SELECT round, a, CASE b WHEN a THEN :n - 1 ELSE b END AS b
                FROM (
                    SELECT round, a, (round - a + 2 * (:n - 1)) % (:n - 1) AS b
                    FROM generate_series(0, :n - 2) AS round, generate_series(0, :n - 2) AS a
                ) AS turn
                WHERE a <= b
            )
            SELECT gen_random_uuid() AS room, :n / 4 + 1 + round AS age, a, b FROM pair
            UNION ALL
            SELECT gen_random_uuid(), 1 + round, one.other, two.other
            FROM pair JOIN place AS one ON one.i = a JOIN place AS two ON two.i = b
            WHERE round < :n / 4;
            CREATE TEMPORARY TABLE past AS
            SELECT age,
                to_timestamp(floor(extract(epoch FROM now()) / 1800) * 1800 - 1800 * (age + 1)) AS starts_at
            FROM (SELECT DISTINCT age FROM meeting) AS ages;
            INSERT INTO slots (starts_at, ends_at, opened_at, served_at, closed_at)
            SELECT starts_at, starts_at + interval '1800 s', starts_at, starts_at,
                starts_at + interval '1800 s'
            FROM past;
            INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at)
            SELECT key(age, person + 1), key(1, person + 1), starts_at, 'Task', starts_at, starts_at
            FROM meeting JOIN past USING (age) CROSS JOIN unnest(ARRAY[a, b]) AS person;
            INSERT INTO rooms (id, starts_at, opened_at)
            SELECT room, starts_at, starts_at FROM meeting JOIN past USING (age);
            INSERT INTO members (room_id, registration_id, entered_at)
            SELECT room, key(age, person + 1), starts_at
            FROM meeting JOIN past USING (age) CROSS JOIN unnest(ARRAY[a, b]) AS person;
            """)
    }

    /// Registers the people from `first` to `last` for a slot of a minute.
    func register(_ people: ClosedRange<Int>, forMinute slot: Int) async throws {
        try await run(
            """
            INSERT INTO slots (starts_at, ends_at)
            VALUES (to_timestamp(\(slot)), to_timestamp(\(slot) + 60));
            INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at)
            SELECT key(\(slot) / 60, i), key(1, i), to_timestamp(\(slot)), 'Task ' || i, now(), now()
            FROM generate_series(\(people.lowerBound), \(people.upperBound)) AS i;
            """)
    }

    /// Marks a slot of a minute as open, with all people in a room for two already.
    func setOpen(_ slot: Int) async throws {
        try await run(
            """
            \\set slot \(slot)
            SET session_replication_role = replica; -- Foreign keys of what is known to be right.
            UPDATE slots SET opened_at = starts_at - interval '60 s', served_at = starts_at
            WHERE starts_at = to_timestamp(:slot);
            CREATE TEMPORARY TABLE seat AS
            SELECT id, (row_number() OVER (ORDER BY id) - 1) / 2 AS room
            FROM registrations WHERE starts_at = to_timestamp(:slot);
            CREATE TEMPORARY TABLE room AS SELECT room, gen_random_uuid() AS id FROM seat GROUP BY room;
            INSERT INTO rooms (id, starts_at, opened_at)
            SELECT id, to_timestamp(:slot), to_timestamp(:slot - 60) FROM room;
            INSERT INTO members (room_id, registration_id)
            SELECT room.id, seat.id FROM seat JOIN room USING (room);
            """)
    }
}
