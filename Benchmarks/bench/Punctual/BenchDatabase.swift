import Contract
import Reactor

/// A database of the testbed, reached by `psql`. People and registrations are written to it straight.
struct BenchDatabase: Sendable {
    let name: String
    /// The connection string for libpq.
    let url: String
    /// The folder for the files of a measurement.
    let folder: String

    /// Runs a script, and returns what it prints: rows without alignment, and nothing else. It stops at the
    /// first error.
    @discardableResult
    func run(_ script: String) async throws -> String {
        var command = ChildProcess.Command("psql", ["-XqAt", "-v", "ON_ERROR_STOP=1", "-d", url])
        // Fresh rows have no statistics, and the planner would choose nested loops for them.
        command.environment["PGOPTIONS"] = "-c enable_nestloop=off"
        command.input = script
        let child = try await ChildProcess.run(command)
        guard await child.ending() == .exited(0) else {
            throw BenchError.failed("psql: \(child.output(.standardError))")
        }
        return child.output().split(separator: "\n").joined(separator: "\n")
    }

    /// Returns the number that a query gives; nil where it gives none.
    func number(_ query: String) async throws -> Double? { Double(try await run(query)) }

    /// Writes so many people. Person 1 has the first token.
    func addPeople(_ count: Int) async throws {
        try await run(
            """
            INSERT INTO users (id, name, time_zone, token_hash, created_at)
            SELECT key(1, i), 'Person ' || i, 'UTC', sha256(token(i)::bytea), now()
            FROM generate_series(1, \(count)) AS i;
            """)
    }

    /// Returns the tokens of the people with these numbers.
    func tokens(_ people: ClosedRange<Int>) async throws -> [String] {
        // The answer may be larger than what is kept of a program's output.
        let file = "\(folder)/tokens"
        try await run(
            """
            SELECT token(i) FROM generate_series(\(people.lowerBound), \(people.upperBound)) AS i
            \\g \(file)
            """)
        return try TextFile.read(file).split(separator: "\n").map(String.init)
    }

    /// Registers people 1 and on for all of the slots.
    func register(_ people: Int, for slots: MeasuredSlots) async throws {
        let series = "generate_series(0, \(slots.count) - 1) AS s"
        let start = "to_timestamp(\(slots.start) + \(slots.length) * s)"
        try await run(
            """
            INSERT INTO slots (starts_at, ends_at)
            SELECT \(start), to_timestamp(\(slots.start) + \(slots.length) * (s + 1)) FROM \(series);
            INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at)
            SELECT key(1000000 + s, i), key(1, i), \(start), 'Task ' || i, now(), now()
            FROM \(series), generate_series(1, \(people)) AS i;
            """)
        try await settle()
    }

    /// Gives the planner statistics, and writes everything to the disk.
    func settle() async throws { try await run("VACUUM ANALYZE;\nCHECKPOINT;") }

    /// Whether each person of the slot has one room and was notified once.
    func isComplete(_ slot: Int, people: Int) async throws -> Bool {
        let counts = try await run(
            """
            SELECT count(*), count(DISTINCT registration_id) FROM members JOIN rooms ON id = room_id
            WHERE starts_at = to_timestamp(\(slot)) AND left_revision IS NULL;
            SELECT count(*) FROM notifications JOIN registrations ON registrations.id = registration_id
            WHERE type = 'room.opened' AND starts_at = to_timestamp(\(slot));
            """)
        return counts == "\(people)|\(people)\n\(people)"
    }

    /// Returns PostgreSQL's record of the commit of the slot's notifications, in seconds since 1970.
    func committed(_ slot: Int) async throws -> Double? {
        try await number(
            """
            SELECT extract(epoch FROM max(pg_xact_commit_timestamp(xmin))) FROM notifications
            WHERE type = 'room.opened' AND registration_id IN (
                SELECT id FROM registrations WHERE starts_at = to_timestamp(\(slot)));
            """)
    }
}

extension Testbed {
    /// Creates a database with empty tables, and functions that make tokens and ids from numbers.
    func makeDatabase(_ name: String) async throws -> BenchDatabase {
        try await database("postgres").run("CREATE DATABASE \(name) TEMPLATE template0")
        let made = try database(name)
        var migrate = ChildProcess.Command(server, ["migrate"])
        migrate.environment["DATABASE_URL"] = made.url
        guard await (try start(migrate, log: "migrate")).ending() == .exited(0) else {
            throw BenchError.failed("No tables.")
        }
        try await made.run(
            """
            CREATE FUNCTION token(i bigint) RETURNS text IMMUTABLE LANGUAGE sql AS $$
                SELECT 'lsk_'
                    || rtrim(translate(encode(sha256(('token ' || i)::bytea), 'base64'), '+/', '-_'), '=')
            $$;
            CREATE FUNCTION key(prefix bigint, i bigint) RETURNS uuid IMMUTABLE LANGUAGE sql AS $$
                SELECT (lpad(to_hex(prefix), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid
            $$;
            """)
        return made
    }

    func drop(_ database: BenchDatabase) async throws {
        try await self.database("postgres").run("DROP DATABASE \(database.name) WITH (FORCE)")
    }
}
