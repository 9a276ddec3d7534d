import Client
import Contract
import Database
import Glibc
import Postgres
import PostgresTesting
import Reactor
import TestKit
import Testing

@Suite("Backup and restore", .timeLimit(.minutes(10)))
struct BackupTests {
    static func run(_ arguments: [String], _ environment: [String: String]) async throws -> Finished {
        try await Finished.run(try BuiltProgram.server.path(), arguments, environment: environment)
    }

    static func expectRefusal(
        _ arguments: [String], _ environment: [String: String], _ reason: String,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let refused = try await run(arguments, environment)
        #expect(refused.status == 1, "\(refused)", sourceLocation: location)
        #expect(refused.errorLines.count == 1, "\(refused)", sourceLocation: location)
        #expect(refused.errors.contains(reason), "\(refused)", sourceLocation: location)
    }

    static func mode(of path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    static func edit(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
        guard let file = fopen(path, "r+") else { throw TestError("\(path): \(errno)") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        change(&bytes)
        rewind(file)
        fwrite(bytes, 1, bytes.count, file)
        ftruncate(fileno(file), off_t(bytes.count))
    }

    @Test(
        "what was there at the backup is there after it, beside the server that runs; ids are given out once")
    func restored() async throws {
        try await Stage.withServer { stage, server in
            let (aiko, ben) = (
                try await Person(named: "Aiko", on: server), try await Person(named: "Ben", on: server)
            )
            _ = try await aiko.enter(stage.grid.openSlot)
            _ = try await ben.enter(stage.grid.openSlot)
            let file = "\(stage.folder.path)/backup"
            let saved = try await Self.run(["backup", file], ["DATABASE_URL": stage.database.url])
            #expect(saved.status == 0 && saved.output.contains("all that was committed"), "\(saved)")
            #expect(Self.mode(of: file) == 0o600)
            let late = try await Person(named: "Late", on: server)

            try await TestDatabase.with { other in
                let target = ["DATABASE_URL": other.url]
                let restored = try await Self.run(["restore", file], target)
                #expect(restored.status == 0, "\(restored)")
                #expect(restored.output.contains("Restored \(file)."), "\(restored)")
                let verified = try await Self.run(["verify"], target)
                #expect(verified.status == 0 && verified.output.contains("promises hold."), "\(verified)")
                try await Self.expectRefusal(["restore", file], target, "is not empty")

                let second = try await stage.startOne(target)
                #expect(try await aiko.at(second).api.me().name == "Aiko")
                await #expect(throws: ClientError.self) { try await late.at(second).api.me() }
                // A stream that has seen later ids misses nothing that comes now.
                let last = try await stage.database.withConnection { connection in
                    try await connection.query("SELECT max(id) FROM notifications")[0].decode(0, Int64.self)
                }
                let carl = try await Person(named: "Carl", on: second)
                _ = try await carl.enter(stage.grid.openSlot)
                let next = try await other.withConnection { connection in
                    try await connection.query("SELECT max(id) FROM notifications")[0].decode(0, Int64.self)
                }
                #expect(next > last + 500_000_000)
            }
        }
    }

    @Test("a backup that is damaged, cut off, too new or of another program is refused and changes nothing")
    func damaged() async throws {
        try await Stage.with { stage in
            let database = ["DATABASE_URL": stage.database.url]
            let file = "\(stage.folder.path)/backup"
            try await Self.expectRefusal(["backup", file], database, "is empty")
            #expect(access(file, F_OK) != 0)
            #expect(try await Self.run(["migrate"], database).status == 0)
            #expect(try await Self.run(["backup", file], database).status == 0)
            try await Self.expectRefusal(["backup", file], database, "File exists. Name a new file")
            try await Self.expectRefusal(["backup", "/dev/null/x"], database, "cannot be made")
            let strange = "\(stage.folder.path)/strange"
            try await TestDatabase.with { other in
                try await other.withConnection { try await $0.simple("CREATE TABLE a ()") }
                try await Self.dump(other, "custom", to: strange)
            }
            let newer = "\(stage.folder.path)/newer"
            try await stage.database.withConnection { connection in
                try await connection.simple(
                    """
                    INSERT INTO schema_versions (version, name, checksum, served)
                    VALUES (9999, '', '', 9999)
                    """)
            }
            #expect(try await Self.run(["backup", newer], database).status == 0)

            try await TestDatabase.with { other in
                let target = ["DATABASE_URL": other.url]
                try await Self.expectRefusal(["restore", strange], target, "is no backup of Let's Switch")
                try await Self.expectRefusal(["restore", newer], target, "use a newer program")
                try await Self.expectRefusal(["restore", "\(file)-2"], target, "cannot be read")
                try await Self.expectRefusal(
                    ["restore", stage.folder.path], target, "does not appear to be a valid archive")
                // The last bytes of the data of a table are its checksum, and a number of five bytes.
                try Self.edit(file) { $0[$0.count - 7] ^= 1 }
                try await Self.expectRefusal(["restore", file], target, "incorrect data check")
                var whole: [UInt8] = []
                try Self.edit(file) {
                    $0[$0.count - 7] ^= 1
                    whole = $0
                }
                for length in [0, 3, 1000, whole.count / 2, whole.count - 1000] {
                    try Self.edit(file) { $0 = Array(whole.prefix(length)) }
                    try await Self.expectRefusal(["restore", file], target, "pg_restore: error: ")
                    #expect(try await !Self.hasUsers(other))
                }
                try Self.edit(file) { $0 = whole }
                #expect(try await Self.run(["restore", file], target).status == 0)
            }
        }
    }

    @Test("a folder that an earlier version has written is restored")
    func folder() async throws {
        try await Stage.with { stage in
            #expect(try await Self.run(["migrate"], ["DATABASE_URL": stage.database.url]).status == 0)
            let folder = "\(stage.folder.path)/backup"
            #expect(mkdir(folder, 0o700) == 0)
            try await Self.dump(stage.database, "directory", to: "\(folder)/data")
            close(open("\(folder)/manifest.json", O_WRONLY | O_CREAT, 0o600))
            try await TestDatabase.with { other in
                let target = ["DATABASE_URL": other.url]
                let contents = "\(folder)/data/toc.dat"
                rename(contents, "\(contents).new")
                try await Self.expectRefusal(["restore", folder], target, "toc.dat\" does not exist")
                rename("\(contents).new", contents)
                let restored = try await Self.run(["restore", folder], target)
                #expect(restored.status == 0, "\(restored)")
                #expect(try await Self.run(["verify"], target).status == 0)
            }
        }
    }

    private static func dump(_ database: TestDatabase, _ format: String, to path: String) async throws {
        let made = try await ChildProcess.run(
            .init("pg_dump", ["--format=\(format)", "--file=\(path)", "--dbname=\(database.url)"]))
        #expect(made.currentEnding == .exited(0), "\(made.output(.standardError))")
    }

    @Test("a restore that fails has written nothing")
    func atomic() async throws {
        try await Stage.with { stage in
            let database = ["DATABASE_URL": stage.database.url]
            let file = "\(stage.folder.path)/backup"
            #expect(try await Self.run(["migrate"], database).status == 0)
            #expect(try await Self.run(["backup", file], database).status == 0)
            try await TestDatabase.with { other in
                // Triggers come after all rows: the first of them fails.
                try await other.withConnection { connection in
                    try await connection.simple(
                        """
                        CREATE FUNCTION pg_catalog.trap() RETURNS event_trigger LANGUAGE plpgsql AS $$
                        BEGIN RAISE EXCEPTION 'a trap'; END $$;
                        CREATE EVENT TRIGGER trap ON ddl_command_end WHEN TAG IN ('CREATE TRIGGER')
                        EXECUTE FUNCTION pg_catalog.trap()
                        """)
                }
                let target = ["DATABASE_URL": other.url]
                try await Self.expectRefusal(["restore", file], target, "a trap")
                let isEmpty = try await other.withConnection { connection in
                    try await connection.simple("DROP EVENT TRIGGER trap")
                    return try await connection.query("SELECT to_regclass('users') IS NULL")[0]
                        .decode(0, Bool.self)
                }
                #expect(isEmpty)
                #expect(try await Self.run(["restore", file], target).status == 0)
            }
        }
    }

    /// Makes a backup of a database with the first migrations, or with all.
    static func backUp(_ stage: Stage, migrations: Int? = nil) async throws -> String {
        let database = ["DATABASE_URL": stage.database.url]
        let file = "\(stage.folder.path)/backup"
        if let migrations {
            try await stage.database.withConnection { connection in
                let first = Array(Migrations.all.prefix(migrations))
                _ = try await Migrator(first, sealed: 7).apply(on: connection)
            }
        } else {
            #expect(try await run(["migrate"], database).status == 0)
        }
        #expect(try await run(["backup", file], database).status == 0)
        return file
    }

    static func hasUsers(_ database: TestDatabase) async throws -> Bool {
        try await database.withConnection { connection in
            try await connection.query("SELECT to_regclass('users') IS NOT NULL")[0].decode(0, Bool.self)
        }
    }

    @Test("a restore that is cut off before the ids have jumped leaves a database that no program works on")
    func cutOff() async throws {
        try await Stage.with { stage in
            let file = try await Self.backUp(stage)
            try await TestDatabase.with { other in
                // Only the jump makes a partition by this statement, after all rows have come.
                try await other.withConnection { connection in
                    try await connection.simple(
                        """
                        CREATE FUNCTION pg_catalog.trap() RETURNS event_trigger LANGUAGE plpgsql AS $$
                        BEGIN
                            IF current_query() LIKE '%PARTITION OF deliveries FOR%' THEN
                                RAISE EXCEPTION 'a trap';
                            END IF;
                        END $$;
                        CREATE EVENT TRIGGER trap ON ddl_command_end WHEN TAG IN ('CREATE TABLE')
                        EXECUTE FUNCTION pg_catalog.trap()
                        """)
                }
                let target = ["DATABASE_URL": other.url]
                try await Self.expectRefusal(["restore", file], target, "a trap")
                try await other.withConnection { try await $0.simple("DROP EVENT TRIGGER trap") }
                #expect(try await Self.hasUsers(other))
                for command in [["restore", file], ["verify"], ["backup", "\(file)-2"]] {
                    try await Self.expectRefusal(command, target, "or was cut off")
                }
                for command in ["migrate", "serve"] {
                    let refused = try await Self.run(
                        [command], target.merging(["PORT": "0", "DATA_DIR": stage.folder.path]) { $1 })
                    #expect(refused.status == 1, "\(refused)")
                    #expect(refused.errors.contains("or was cut off"), "\(refused)")
                }
            }
        }
    }

    @Test("a restore that is asked to end takes pg_restore with it, and has written nothing")
    func signalled() async throws {
        try await Stage.with { stage in
            let file = try await Self.backUp(stage)
            try await TestDatabase.with { other in
                try await other.withConnection { connection in
                    try await connection.simple(
                        """
                        CREATE FUNCTION pg_catalog.trap() RETURNS event_trigger LANGUAGE plpgsql AS $$
                        BEGIN PERFORM pg_advisory_xact_lock(7); END $$;
                        CREATE EVENT TRIGGER trap ON ddl_command_end WHEN TAG IN ('CREATE TRIGGER')
                        EXECUTE FUNCTION pg_catalog.trap();
                        SELECT pg_advisory_lock(7)
                        """)
                    var command = ChildProcess.Command(
                        try BuiltProgram.server.path(), ["restore", file])
                    command.environment = BuiltProgram.environment(["DATABASE_URL": other.url])
                    command.timeLimit = .seconds(120)
                    let restore = try ChildProcess(command)
                    try await eventually {
                        try await !connection.query(
                            "SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND NOT granted"
                        ).isEmpty
                    }
                    restore.signal(SIGTERM)
                    #expect(await restore.ending() == .exited(1))
                    #expect(restore.output(.standardError).contains("stopped by a signal"))
                    try await connection.simple("SELECT pg_advisory_unlock(7)")
                    try await eventually {
                        try await connection.query(
                            """
                            SELECT FROM pg_stat_activity
                            WHERE datname = current_database() AND pid <> pg_backend_pid()
                                AND backend_type = 'client backend'
                            """
                        ).isEmpty
                    }
                    try await connection.simple("DROP EVENT TRIGGER trap")
                }
                #expect(try await !Self.hasUsers(other))
                #expect(try await Self.run(["restore", file], ["DATABASE_URL": other.url]).status == 0)
            }
        }
    }

    @Test("a backup of the release before is brought up to date, and its ids jump")
    func older() async throws {
        try await Stage.with { stage in
            let file = try await Self.backUp(stage, migrations: 7)
            try await TestDatabase.with { other in
                let target = ["DATABASE_URL": other.url]
                let restored = try await Self.run(["restore", file], target)
                #expect(restored.status == 0, "\(restored)")
                #expect(restored.output.contains("migrated to version"), "\(restored)")
                let verified = try await Self.run(["verify"], target)
                #expect(verified.status == 0, "\(verified)")
                #expect(try await Self.lastIDs(other).allSatisfy { $0 >= 1_000_000_000 })
            }
        }
    }

    /// Returns the last ids of notifications and of deliveries.
    static func lastIDs(_ database: TestDatabase) async throws -> [Int64] {
        try await database.withConnection { connection in
            let row = try await connection.query(
                """
                SELECT pg_sequence_last_value(pg_get_serial_sequence('notifications', 'id')::regclass),
                    pg_sequence_last_value('deliveries_ids')
                """)[0]
            return [try row.decode(0, Int64.self), try row.decode(1, Int64.self)]
        }
    }

    @Test("what is restored twice from one backup gives out no id twice")
    func twice() async throws {
        try await Stage.with { stage in
            let file = try await Self.backUp(stage)
            var last: [[Int64]] = []
            for _ in 0..<2 {
                try await TestDatabase.with { other in
                    let restored = try await Self.run(["restore", file], ["DATABASE_URL": other.url])
                    #expect(restored.status == 0, "\(restored)")
                    last.append(try await Self.lastIDs(other))
                }
            }
            for (first, second) in zip(last[0], last[1]) {
                // A second lies between them at least, in which no server gives out as many.
                #expect(second - first > 100_000 && second < 1 << 53)
            }
        }
    }

    @Test("a restore says where to, and needs to be told")
    func target() async throws {
        try await Stage.with { stage in
            let file = try await Self.backUp(stage)
            let untold = try await Self.run(["restore", file], [:])
            #expect(untold.status == 2 && untold.errors.contains("needs DATABASE_URL"), "\(untold)")
            // An extension has indexes and types that do not depend on it themselves.
            try await TestDatabase.with { other in
                try await other.withConnection { try await $0.simple("CREATE EXTENSION tablefunc") }
                let restored = try await Self.run(["restore", file], ["DATABASE_URL": other.url])
                #expect(restored.status == 0, "\(restored)")
                #expect(restored.output.contains("restoring into the database "), "\(restored)")
                #expect(restored.output.contains(other.name), "\(restored)")
            }
        }
    }

    @Test("a copy without deliveries sends nothing to anybody")
    func silent() async throws {
        try await Stage.with { stage in
            #expect(try await Self.run(["migrate"], ["DATABASE_URL": stage.database.url]).status == 0)
            try await stage.database.withConnection { connection in
                try await connection.simple(
                    """
                    INSERT INTO users (id, name, time_zone, token_hash, created_at)
                    VALUES ('00000000-0000-0000-0000-000000000001', 'Ann', 'UTC', sha256(''), now());
                    INSERT INTO endpoints (id, user_id, kind, address, host, secret, created_at)
                    SELECT '00000000-0000-0000-0000-000000000009', id, 'webhook', 'https://a/', 'a:443',
                        sha256(''), now() FROM users;
                    INSERT INTO deliveries (endpoint_id, priority, due_at)
                    SELECT id, 0, now() FROM endpoints
                    """)
            }
            let file = try await Self.backUp(stage)
            for isSilent in [false, true] {
                try await TestDatabase.with { other in
                    let restored = try await Self.run(
                        ["restore", file] + (isSilent ? ["--without-deliveries"] : []),
                        ["DATABASE_URL": other.url])
                    #expect(restored.status == 0, "\(restored)")
                    let left = try await other.withConnection { connection in
                        let row = try await connection.query(
                            """
                            SELECT (SELECT count(*) FROM endpoints WHERE disabled_at IS NULL),
                                (SELECT count(*) FROM deliveries WHERE settled_at IS NULL)
                            """)[0]
                        return [try row.decode(0, Int64.self), try row.decode(1, Int64.self)]
                    }
                    #expect(left == (isSilent ? [0, 0] : [1, 1]))
                    #expect(try await Self.run(["verify"], ["DATABASE_URL": other.url]).status == 0)
                }
            }
        }
    }
}
