/// The lower bound of a match: a bare COPY of the same rows into copies of the same tables.
struct CopyProbe {
    private let database: BenchDatabase

    /// Makes the copies of the tables.
    init(_ database: BenchDatabase) async throws {
        self.database = database
        try await database.run(
            """
            SET client_min_messages = warning;
            CREATE TABLE public.probe_keys AS
            SELECT conrelid::regclass::text AS of, conname AS name, pg_get_constraintdef(oid) AS definition
            FROM pg_constraint
            WHERE contype = 'f'
                AND conrelid IN ('rooms'::regclass, 'members'::regclass, 'notifications'::regclass);
            CREATE SCHEMA probe;
            CREATE TABLE probe.rooms (LIKE public.rooms INCLUDING ALL);
            CREATE TABLE probe.members (LIKE public.members INCLUDING ALL);
            CREATE TABLE probe.notifications (LIKE public.notifications INCLUDING ALL);
            SET search_path = probe, public;
            DO $$
            DECLARE part record;
            BEGIN
                FOR part IN SELECT * FROM public.probe_keys LOOP
                    EXECUTE format(
                        'ALTER TABLE probe.%I ADD CONSTRAINT %I %s', part.of, part.name, part.definition);
                END LOOP;
            END $$;
            """)
    }

    /// Returns the milliseconds that the COPY of the slot's rows takes.
    func milliseconds(_ slot: Int) async throws -> Double {
        let columns = try await database.run(
            """
            SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position)
            FROM information_schema.columns
            WHERE table_schema = 'public' AND table_name = 'notifications' AND column_name <> 'id';
            """)
        let (rooms, members, notifications) = (file("rooms"), file("members"), file("notifications"))
        let isOfSlot = "starts_at = to_timestamp(\(slot))"
        let registrations = "SELECT id FROM registrations WHERE \(isOfSlot)"
        try await database.run(
            """
            COPY (SELECT * FROM rooms WHERE \(isOfSlot)) TO STDOUT \\g \(rooms)
            COPY (SELECT members.* FROM members JOIN rooms ON id = room_id WHERE \(isOfSlot))
            TO STDOUT \\g \(members)
            COPY (SELECT \(columns) FROM notifications WHERE type = 'room.opened'
                AND registration_id IN (\(registrations))) TO STDOUT \\g \(notifications)
            CHECKPOINT;
            """)
        let printed = try await database.run(
            """
            SELECT count(*) FROM probe.rooms WHERE id IS NULL;
            \\timing on
            BEGIN;
            \\copy probe.rooms FROM '\(rooms)'
            \\copy probe.members FROM '\(members)'
            \\copy probe.notifications (\(columns)) FROM '\(notifications)'
            COMMIT;
            """)
        return Self.total(printed)
    }

    /// Returns the sum of the times in milliseconds that psql has printed.
    static func total(_ printed: String) -> Double {
        printed.split(separator: "\n").filter { $0.hasPrefix("Time:") }
            .compactMap { Double($0.split(separator: " ")[1]) }.reduce(0, +)
    }

    private func file(_ table: String) -> String { "\(database.folder)/\(table).copy" }
}
