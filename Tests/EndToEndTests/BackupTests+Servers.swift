import Client
import Contract
import Database
import Glibc
import Postgres
import PostgresTesting
import Reactor
import TestKit
import Testing

/// The tests of the commands beside a server, and of a private PostgreSQL.
extension BackupTests {
    private static let lease = """
        INSERT INTO servers (name, alive_at, alive_until)
        VALUES (gen_random_uuid()::text, clock_timestamp(), clock_timestamp() + interval '3 s')
        """

    @Test("renumber names the servers that run, and waits for the lease of one that is gone")
    func renumber() async throws {
        try await Stage.with { stage in
            let server = try await stage.start(["SERVER_NAME": "server-2"])
            let database = ["DATABASE_URL": stage.database.url]
            try await Self.expectRefusal(
                ["renumber"], database, "Stop all servers first. Still running: server-2.")
            #expect(await server.stop() == .exited(0))
            // A restored database may have a lease that is not past, of a server that is gone.
            try await stage.database.withConnection { connection in
                try await connection.simple(Self.lease)
            }
            let renumbered = try await Self.run(["renumber"], database)
            #expect(renumbered.status == 0, "\(renumbered)")
        }
    }

    @Test("a private database is saved while its server runs, and restored into a new folder")
    func privately() async throws {
        let (old, new) = (TemporaryFolder(), TemporaryFolder())
        let server = try await ServerProcess.ready(["DATA_DIR": old.path])
        let aiko = try await Person(named: "Aiko", on: server)
        let file = "\(old.path)/backup"
        let saved = try await Self.run(["backup", file], ["DATA_DIR": old.path])
        #expect(saved.status == 0, "\(saved)")
        try await Self.expectRefusal(
            ["restore", file], ["DATA_DIR": old.path], "another server (process")
        #expect(await server.stop() == .exited(0))

        let restored = try await Self.run(["restore", file], ["DATA_DIR": new.path])
        #expect(restored.status == 0, "\(restored)")
        try await Self.expectRefusal(["restore", file], ["DATA_DIR": new.path], "is not empty")
        let verified = try await Self.run(["verify"], ["DATA_DIR": new.path])
        #expect(verified.status == 0, "\(verified)")
        let second = try await ServerProcess.ready(["DATA_DIR": new.path])
        #expect(try await aiko.at(second).api.me().name == "Aiko")
        #expect(await second.stop() == .exited(0))
    }

    @Test("a backup that is asked to end takes pg_dump with it, and leaves no file")
    func endedBackup() async throws {
        try await Stage.with { stage in
            #expect(try await Self.run(["migrate"], ["DATABASE_URL": stage.database.url]).status == 0)
            let file = "\(stage.folder.path)/backup"
            try await stage.database.withConnection { connection in
                try await connection.transaction { connection in
                    try await connection.simple("LOCK TABLE users")
                    var command = ChildProcess.Command(try BuiltProgram.server.path(), ["backup", file])
                    command.environment = BuiltProgram.environment(["DATABASE_URL": stage.database.url])
                    command.timeLimit = .seconds(120)
                    let backup = try ChildProcess(command)
                    try await eventually {
                        try await !connection.query(
                            "SELECT FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted"
                        ).isEmpty
                    }
                    #expect(access(file, F_OK) == 0)
                    backup.signal(SIGTERM)
                    #expect(await backup.ending() == .exited(1))
                    #expect(backup.output(.standardError).contains("stopped by a signal"))
                    #expect(access(file, F_OK) != 0)
                }
            }
        }
    }

    @Test("verify ends with 1, and names what is wrong")
    func verify() async throws {
        try await Stage.with { stage in
            let database = ["DATABASE_URL": stage.database.url]
            #expect(try await Self.run(["migrate"], database).status == 0)
            #expect(try await Self.run(["verify"], database).status == 0)
            try await stage.database.withConnection { connection in
                try await connection.simple("DROP INDEX members_one_room")
            }
            let broken = try await Self.run(["verify"], database)
            #expect(broken.status == 1, "\(broken)")
            #expect(broken.output.contains("BROKEN  enforced"), "\(broken)")
            #expect(broken.output.contains("index members_one_room"), "\(broken)")
            #expect(broken.output.contains("1 of"), "\(broken)")
        }
    }

    @Test("a server whose private PostgreSQL is killed says so, starts it again, and has lost nothing")
    func killedPostmaster() async throws {
        let folder = TemporaryFolder()
        let server = try await ServerProcess.ready(["DATA_DIR": folder.path])
        let aiko = try await Person(named: "Aiko", on: server)
        for round in 0..<2 {
            let started = server.ownLog.split(separator: "\n").last {
                $0.contains("started the private database")
            }
            let number = try #require(
                started?.split(separator: " ").first { $0.hasPrefix("process=") }?.dropFirst("process=".count)
            )
            let postmaster = try #require(pid_t(number))
            let ben = try await Person(named: "Ben \(round)", on: server)
            kill(postmaster, SIGKILL)
            // The first time PostgreSQL is back so soon that no server may see the gap.
            var hasSaidSo = round == 0
            try await eventually {
                let starts = server.ownLog.split(separator: "\n").count {
                    $0.contains("started the private database")
                }
                let status = try await Curl("\(server.url)/readyz").status
                if status == 503 { hasSaidSo = true }
                return status == 200 && starts == round + 2 && hasSaidSo
            }
            #expect(try await ben.api.me().name == "Ben \(round)")
            #expect(try await aiko.api.me().name == "Aiko")
        }
        #expect(await server.stop() == .exited(0))
    }
}
