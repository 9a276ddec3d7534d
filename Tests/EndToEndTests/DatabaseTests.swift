import Contract
import Glibc
import Postgres
import PostgresTesting
import Reactor
import TestKit
import Testing

/// Databases that are set up otherwise than PostgreSQL's defaults, each in a cluster of its own.
@Suite("A database", .timeLimit(.minutes(5)))
struct DatabaseTests {
    /// Lends a cluster, and a superuser's connection to it.
    private func with(_ body: (TestCluster, PostgresConnection) async throws -> Void) async throws {
        try await Permits.shared.with {
            let cluster = try await TestCluster.make()
            try await withPostgresConnection(
                try PostgresConfiguration(url: cluster.url()), on: TestLoops.next()
            ) { try await body(cluster, $0) }
            cluster.remove()
        }
    }

    private func run(_ arguments: [String] = [], on url: String) async throws -> Finished {
        try await Finished.run(
            try BuiltProgram.server.path(), arguments,
            environment: ["LOG_LEVEL": "error", "PORT": "0", "DATABASE_URL": url])
    }

    private func ready(_ url: String, _ settings: [String: String] = [:]) async throws -> ServerProcess {
        try await ServerProcess.ready(
            Grid.openNow.settings.merging(["DATABASE_URL": url]) { $1 }.merging(settings) { $1 })
    }

    /// Returns the SQL that an error recommends.
    private func advice(in end: Finished, from word: String) throws -> String {
        let words = end.errors.split(separator: " ")
        let start = try #require(words.firstIndex { $0 == word }, "\(end)")
        return words[start...].joined(separator: " ")
    }

    @Test("behind PgBouncer per session serves as without it")
    func pooler() async throws {
        try await with { cluster, _ in
            let pooler = try await TestPooler.start(.session, before: cluster)
            let server = try await ready(pooler.url())
            let people = try await Person.crowd(2, on: server)
            var room: Identifier?
            for person in people { room = try await person.enter(Grid.openNow.openSlot).roomId }
            let sockets = [
                try await RoomSocket.open(try #require(room), as: people[0]),
                try await RoomSocket.open(try #require(room), as: people[1]),
            ]
            await sockets[0].cheer("first")
            #expect(try await sockets[1].skip(to: "aleResponse")["seq"]?.int == 1)
            for socket in sockets { await socket.drop() }
            #expect(await server.stop() == .exited(0), "\(server.log)")
            pooler.stop()
        }
    }

    @Test(
        "behind PgBouncer per transaction or statement ends the start, in one line",
        arguments: [TestPooler.Mode.transaction, .statement])
    func shared(mode: TestPooler.Mode) async throws {
        try await with { cluster, _ in
            let pooler = try await TestPooler.start(mode, before: cluster)
            let end = try await run(on: pooler.url())
            #expect(end.status == 1 && end.errorLines.count == 1, "\(end)")
            #expect(end.errors.contains("pool_mode=session"), "\(end)")
            pooler.stop()
        }
    }

    @Test(
        "in another encoding than UTF8 ends the start, with the command that makes a right one",
        arguments: ["SQL_ASCII", "LATIN1", "EUC_JP", "WIN1252"])
    func encoding(name: String) async throws {
        try await with { cluster, admin in
            try await admin.simple("CREATE DATABASE old ENCODING '\(name)' LOCALE 'C' TEMPLATE template0")
            let end = try await run(on: cluster.url(database: "old"))
            #expect(end.status == 1 && end.errorLines.count == 1, "\(end)")
            #expect(end.errors.contains("the encoding \(name)"), "\(end)")
            try await admin.simple(try advice(in: end, from: "CREATE"))
            #expect(try await run(["migrate"], on: cluster.url(database: "old_utf8")).status == 0)
        }
    }

    @Test("in which the role may not make tables ends the start, with the grant that it needs")
    func grant() async throws {
        try await with { cluster, admin in
            try await admin.simple("CREATE ROLE plain LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC")
            let url = cluster.url().replacingUser(with: "plain")
            let end = try await run(["migrate"], on: url)
            #expect(end.status == 1 && end.errorLines.count == 1, "\(end)")
            try await admin.simple(try advice(in: end, from: "GRANT"))
            #expect(try await run(["migrate"], on: url).status == 0)
        }
    }

    @Test("whose role has settings of its own is migrated all the same")
    func roleSettings() async throws {
        try await with { cluster, admin in
            for setting in [
                "standard_conforming_strings = off", "array_nulls = off", "transform_null_equals = on",
                "default_transaction_isolation = serializable", "idle_session_timeout = '5s'",
            ] { try await admin.simple("ALTER ROLE postgres SET \(setting)") }
            let end = try await run(["migrate"], on: cluster.url())
            #expect(end.status == 0, "\(end)")
        }
    }

    @Test("with a CONNECTION LIMIT serves with as many connections, and ends the start with too few")
    func connectionLimit() async throws {
        try await with { cluster, admin in
            try await admin.simple("CREATE ROLE few LOGIN CONNECTION LIMIT 12")
            try await admin.simple("CREATE DATABASE few OWNER few")
            let url = cluster.url(database: "few").replacingUser(with: "few")
            let server = try await ServerProcess(
                one: Grid.openNow.settings.merging(["DATABASE_URL": url]) { $1 })
            try await server.waitUntilReady()
            let people = try await Person.crowd(8, on: server)
            for person in people { _ = try await person.enter(Grid.openNow.openSlot) }
            #expect(server.log.contains("the role's CONNECTION LIMIT 12 leaves 12"))
            await server.stop()
            try await admin.simple("ALTER DATABASE few CONNECTION LIMIT 8")
            let end = try await run(on: url)
            #expect(end.status == 1 && end.errorLines.count == 1, "\(end)")
            #expect(end.errors.contains("CONNECTION LIMIT 8") && end.errors.contains("at least 10"), "\(end)")
        }
    }

    @Test("that takes no writes makes the server unready, and no session of that time is used afterwards")
    func readOnly() async throws {
        try await with { cluster, admin in
            let server = try await ready(cluster.url())
            try await admin.simple("SET default_transaction_read_only = off")
            try await admin.simple("ALTER DATABASE postgres SET default_transaction_read_only = on")
            let end = """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE pid <> pg_backend_pid() AND application_name = 'letsswitch'
                """
            try await admin.simple(end)
            try await eventually(equals: 503) { try await Curl("\(server.url)/readyz").status }
            try await eventually { try await Curl("\(server.url)/readyz").body.contains("takes no writes") }
            try await admin.simple("ALTER DATABASE postgres RESET default_transaction_read_only")
            try await eventually(equals: 200) { try await Curl("\(server.url)/readyz").status }
            for number in 0..<8 {
                let made = try await Curl.post("\(server.url)/v1/users", #"{"name":"Ada \#(number)"}"#)
                #expect(made.status == 201, "\(made)")
            }
            await server.stop()
        }
    }

    @Test("whose synchronous standby is away makes the server unready, until commits need it no more")
    func awayStandby() async throws {
        try await with { cluster, admin in
            let server = try await ready(cluster.url())
            try await admin.simple("ALTER SYSTEM SET synchronous_standby_names = 'nowhere'")
            try await admin.simple("SELECT pg_reload_conf()")
            try await eventually(equals: 503) { try await Curl("\(server.url)/readyz").status }
            // Reads go on, and rooms with them.
            #expect(try await Curl("\(server.url)/v1/now").status == 200)
            try await admin.simple("ALTER SYSTEM RESET synchronous_standby_names")
            try await admin.simple("SELECT pg_reload_conf()")
            try await eventually(equals: 200) { try await Curl("\(server.url)/readyz").status }
            #expect(try await Curl.post("\(server.url)/v1/users", #"{"name":"Ada"}"#).status == 201)
            await server.stop()
        }
    }

    /// Runs a program, and returns whether it succeeded.
    private static func succeeds(_ program: String, _ arguments: String...) async throws -> Bool {
        try await Finished.run(program, arguments).status == 0
    }

    @Test("without disk space makes the server unready from the first refused write on, until there is some")
    func fullDisk() async throws {
        let folder = TemporaryFolder()
        guard try await Self.succeeds("mount", "-t", "tmpfs", "-o", "size=64m,mode=777", "none", folder.path)
        else { return }
        try await with { cluster, admin in
            let (space, filler) = ("\(folder.path)/space", "\(folder.path)/filler")
            #expect(try await Self.succeeds("install", "-d", "-o", "postgres", "-m", "700", space))
            try await admin.simple("CREATE TABLESPACE small LOCATION '\(space)'")
            try await admin.simple("CREATE DATABASE small TABLESPACE small")
            let server = try await ready(cluster.url(database: "small"), ["SIGNUPS_PER_MINUTE": "0"])
            // It ends when the file system is full.
            #expect(try await !Self.succeeds("dd", "if=/dev/zero", "of=\(filler)", "bs=64k"))
            // A write that finds room in the pages of its table passes.
            try await eventually {
                _ = try await Curl.post("\(server.url)/v1/users", #"{"name":"Ada"}"#)
                return try await Curl("\(server.url)/readyz").status == 503
            }
            #expect(try await Curl("\(server.url)/readyz").body.contains("no disk space left"))
            #expect(try await Curl("\(server.url)/v1/now").status == 200)
            unlink(filler)
            try await eventually(equals: 200) { try await Curl("\(server.url)/readyz").status }
            #expect(try await Curl.post("\(server.url)/v1/users", #"{"name":"Ada"}"#).status == 201)
            await server.stop()
        }
        _ = try await Self.succeeds("umount", "--lazy", folder.path)
    }
}

extension String {
    /// Returns the URL of a test's cluster for another role.
    fileprivate func replacingUser(with role: String) -> String {
        var text = self
        text.replace("postgres@", with: "\(role)@")
        return text
    }
}
