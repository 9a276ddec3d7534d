import Client
import Contract
import Glibc
import Postgres
import PostgresTesting
import Reactor
import TestKit
import Testing

@Suite("Operating a server", .timeLimit(.minutes(5)))
struct OperatingTests {
    @Test("migrate and healthcheck tell by their exit codes")
    func commands() async throws {
        try await Stage.with { stage in
            let program = try BuiltProgram.server.path()
            let database = ["DATABASE_URL": stage.database.url]
            for _ in 0..<2 {
                let migrated = try await Finished.run(program, ["migrate"], environment: database)
                #expect(migrated.status == 0, "\(migrated)")
            }
            let none = try await Finished.run(program, ["healthcheck"], environment: ["PORT": "1"])
            #expect(none.status == 1)
            #expect(none.errorLines.count == 1)
            let server = try await stage.start()
            let healthy = try await Finished.run(program, ["healthcheck", "--port", "\(server.port)"])
            #expect(healthy.status == 0, "\(healthy)")
            try await stage.database.withConnection { try await $0.simple("DELETE FROM schema_versions") }
            let unmigrated = try await Finished.run(program, ["healthcheck", "--port", "\(server.port)"])
            #expect(unmigrated.status == 1)
            #expect(unmigrated.errors.contains("has version 7 of the schema, and this program needs"))
            let help = try await Finished.run(program, ["--help"])
            #expect(help.status == 0)
            #expect(help.output.contains("--slot-seconds"))
        }
    }

    @Test("a server whose standard error is full and not read starts, serves and stops")
    func stalledLog() async throws {
        try await Stage.with { stage in
            let log = try FullPipe(in: stage.folder)
            // The port of this server cannot be read from its log, so it has an address of its own.
            var command = ChildProcess.Command(try BuiltProgram.server.path())
            command.environment = BuiltProgram.environment([
                "HOST": "127.0.0.78", "PORT": "8080", "DATABASE_URL": stage.database.url,
                "DATA_DIR": stage.folder.path, "WORKERS": "1",
            ])
            command.standardError = .file(log.path)
            command.timeLimit = .seconds(120)
            let server = try ChildProcess(command)
            let ready = try await Finished.run(
                "curl",
                [
                    "-fsS", "-o", "/dev/null", "--retry", "100", "--retry-all-errors", "--retry-delay", "1",
                    "--retry-max-time", "60", "http://127.0.0.78:8080/readyz",
                ])
            #expect(ready.status == 0, "\(ready)")
            server.signal(SIGTERM)
            #expect(await server.ending() == .exited(0))
        }
    }

    @Test("SIGTERM finishes requests, closes sockets with 1012 and a hint, ends streams, and exits with 0")
    func drain() async throws {
        try await Stage.withServer { stage, server in
            let (ada, bea, room) = try await SocketVersion2Tests.two(stage, server)
            let new = try await RoomSocket.open(room, as: ada)
            let old = try await RoomSocket.open(room, as: bea, version: 1)
            _ = try await new.skip(to: "presence")
            let stream = try await Wire.events(of: ada)
            // The end of this request arrives when the server is draining already.
            let slow = try await Wire.connect(port: server.port)
            let body = "{\"name\":\"Late\"}"
            await slow.write(
                "POST /v1/users HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                    + "Expect: 100-continue\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
            #expect(String(decoding: try await slow.read() ?? [], as: UTF8.self).contains("100 Continue"))
            server.signal(SIGTERM)
            for socket in [new, old] {
                let reason = try await socket.closes(with: 1012)
                #expect(RetryAfter.read(reason) != nil, "\(reason)")
            }
            _ = try await stream.readAll()
            await slow.write(body)
            let answer = try await slow.readAll()
            #expect(answer.hasPrefix("HTTP/1.1 201"), "\(answer)")
            #expect(answer.contains("Connection: close"))
            #expect(await server.ending() == .exited(0), "\(server.log)")
            for member in server.members {
                let gone = try await Finished.run("curl", ["-s", "http://127.0.0.1:\(member.ownPort)"])
                #expect(gone.status == 7)
            }
        }
    }

    @Test("a second SIGTERM ends the server now")
    func secondSignal() async throws {
        try await Stage.with { stage in
            let server = try await stage.startOne()
            let slow = try await Wire.connect(port: server.port)
            await slow.write(
                "POST /v1/users HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                    + "Expect: 100-continue\r\nContent-Length: 9\r\n\r\n")
            _ = try await slow.read()
            server.child.signal(SIGTERM)
            #expect(await server.child.hasPrinted("draining", on: .standardError))
            server.child.signal(SIGTERM)
            #expect(await server.child.ending() == .exited(1))
        }
    }

    @Test("an outage of the database is a 503 with Retry-After, rooms go on, and all is well afterwards")
    func outage() async throws {
        try await Permits.shared.with {
            let cluster = try await TestCluster.make()
            defer { cluster.remove() }
            // Ada's socket is not read while the database is away, so it must not get pings meanwhile.
            let server = try await ServerProcess.ready(
                ["DATABASE_URL": cluster.url(), "PING_SECONDS": "3600"].merging(Grid.openNow.settings) { $1 })
            do {
                try await endure(cluster, server)
            } catch {
                Issue.record("\(error)\n\(server.log)")
            }
            #expect(await server.stop() == .exited(0), "\(server.log)")
        }
    }

    private func endure(_ cluster: TestCluster, _ server: ServerProcess) async throws {
        let slot = Grid.openNow.openSlot
        let ada = try await Person(named: "Ada", on: server)
        let bea = try await Person(named: "Bea", on: server)
        let room = try await ada.enter(slot).roomId
        _ = try await bea.enter(slot)
        let ticket = try await bea.roomOpened().socketUrl
        let adas = try await RoomSocket.open(room, as: ada)
        _ = try await adas.message("handshake")
        // The room knows Ada from here on, whatever happens to the database.
        let first = try await RoomSocket.open(url: ticket)
        _ = try await first.message("handshake")
        await first.drop()
        // First the database does not answer, then it does not run.
        for isFrozen in [true, false] {
            if isFrozen { cluster.freeze() } else { try await cluster.stop() }
            // The server may know the account without the database, but not its registrations.
            let list = try await Curl(
                "--max-time", "30", "\(server.url)/v1/registrations", "-H",
                "Authorization: Bearer \(ada.token)")
            #expect(list.status == 503)
            #expect(list.headers["retry-after"] != nil)
            #expect(list.headers["content-type"] == Problem.mediaType)
            #expect(try await Curl("--max-time", "30", "\(server.url)/readyz").status == 503)
            #expect(try await Curl("--max-time", "30", "\(server.url)/livez").status == 200)
            // A ticket is checked without the database.
            let beas = try await RoomSocket.open(url: ticket)
            _ = try await beas.message("handshake")
            await adas.cheer()
            _ = try await beas.skip(to: "aleResponse")
            await beas.drop()
            if isFrozen { cluster.thaw() } else { try await cluster.start() }
            try await recovered(server, ada)
        }
        // The entry that was made meanwhile is kept.
        let members = try await ada.api.room(room).members
        #expect(members.count == 2)
        #expect(try await bea.api.notifications().map(\.type).contains("room.opened"))
    }

    /// Waits until the server has recovered: curl waits as told before each new attempt.
    private func recovered(_ server: ServerProcess, _ person: Person) async throws {
        let run = try await Finished.run(
            "curl",
            [
                "-sf", "--retry", "1000", "\(server.url)/v1/me", "-H",
                "Authorization: Bearer \(person.token)",
            ])
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains(person.user.name))
    }

    @Test("a server that starts before its database waits for it, and says so")
    func waiting() async throws {
        try await Permits.shared.with {
            let cluster = try await TestCluster.make()
            defer { cluster.remove() }
            try await cluster.stop()
            let server = try await ServerProcess(["DATABASE_URL": cluster.url()])
            #expect(await server.child.hasPrinted("waiting for the database", on: .standardError))
            #expect(try await Curl("\(server.url)/livez").status == 200)
            for path in ["readyz", "v1/me"] {
                let early = try await Curl("\(server.url)/\(path)")
                #expect(early.status == 503)
                #expect(early.headers["retry-after"] != nil)
            }
            try RushTests.expectPostponed(try await Curl("\(server.url)/v1/events"))
            try await cluster.start()
            try await server.waitUntilReady()
            #expect(try await Curl("\(server.url)/readyz").status == 200)
            #expect(await server.stop() == .exited(0), "\(server.log)")
        }
    }
}
