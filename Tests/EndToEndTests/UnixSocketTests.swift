import Client
import Contract
import Glibc
import PostgresTesting
import Reactor
import SocketTesting
import TestKit
import Testing

@Suite("A server at a Unix socket", .timeLimit(.minutes(5)))
struct UnixSocketTests {
    private static func path(_ stage: Stage) -> String { "\(stage.folder.path)/server.sock" }

    private static func settings(_ stage: Stage) -> [String: String] {
        ["HOST": "unix:\(path(stage))", "PUBLIC_URL": "https://switch.example.org"]
    }

    /// Runs the server's program to its end.
    private static func run(
        _ stage: Stage, _ settings: [String: String], _ arguments: String...
    ) async throws -> Finished {
        let own = ["DATABASE_URL": stage.database.url, "DATA_DIR": stage.folder.path]
        return try await Finished.run(
            try BuiltProgram.server.path(), arguments,
            environment: BuiltProgram.environment(own.merging(settings) { $1 }))
    }

    /// Sends a request by curl.
    private static func ask(
        _ server: ServerProcess, _ path: String, _ arguments: String...
    ) async throws -> Curl {
        let socket = String(server.url.dropFirst("unix:".count))
        return try await Curl(["--unix-socket", socket, "http://localhost\(path)"] + arguments)
    }

    @Test("answers there, to healthcheck and to the command line client too")
    func answers() async throws {
        try await Stage.with(.openNow) { stage in
            let settings = Self.settings(stage)
            let server = try await stage.startOne(settings)
            #expect(try await Self.ask(server, "/readyz").status == 200)
            let health = try await Self.run(stage, settings, "healthcheck")
            #expect(health.status == 0 && health.output == "ready\n", "\(health)")
            let user = try CommandLineUser(server)
            #expect(try await user.run("signup", "Ada").status == 0)
            let doctor = try await user.run("doctor")
            #expect(doctor.status == 0 && doctor.output.contains("is a Unix socket"), "\(doctor)")
            #expect(await server.stop() == .exited(0))
            #expect(access(Self.path(stage), F_OK) != 0)
            let gone = try await Self.run(stage, settings, "healthcheck")
            #expect(gone.status == 1 && gone.errors.contains("No server answers at unix:"), "\(gone)")
        }
    }

    @Test("serves pages, events and sockets through nginx and HAProxy", arguments: ["nginx", "haproxy"])
    func proxied(program: String) async throws {
        try await Stage.with(.openNow) { stage in
            let folder = TemporaryFolder(mode: 0o755)
            let port = try ReservedPort()
            let server = try await stage.startOne([
                "HOST": "unix:\(folder.path)/server.sock", "SOCKET_MODE": "0666",
                "PUBLIC_URL": "http://127.0.0.1:\(port.number)",
            ])
            let text =
                program == "nginx"
                ? """
                map $http_upgrade $letsswitch_connection { default upgrade; "" ""; }
                upstream letsswitch { server \(server.url); }
                server {
                    listen 127.0.0.1:\(port.number) reuseport;
                    location / {
                        proxy_pass http://letsswitch;
                        proxy_http_version 1.1;
                        proxy_set_header Host            $http_host;
                        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                        proxy_set_header Upgrade         $http_upgrade;
                        proxy_set_header Connection      $letsswitch_connection;
                        proxy_buffering off;
                        proxy_read_timeout 90s;
                    }
                }
                """
                : """
                defaults
                    mode http
                    timeout connect 5s
                    timeout client 90s
                    timeout server 90s
                frontend clients
                    bind 127.0.0.1:\(port.number)
                    option forwardfor
                    default_backend letsswitch
                backend letsswitch
                    server one unix@\(server.url.dropFirst("unix:".count))

                """
            let balancer = try await Balancer(program, text, at: port)
            let page = try await Curl(balancer.url, "-H", "Accept: text/html")
            #expect(page.status == 200 && page.body.contains("<script type=\"module\""))
            let ada = try await Person(named: "Ada", at: try Server(balancer.url))
            let bea = try await Person(named: "Bea", at: try Server(balancer.url))
            let adas = try await RoomSocket.open(url: try await ada.enter(stage.grid.openSlot).socketUrl)
            let beas = try await RoomSocket.open(url: try await bea.enter(stage.grid.openSlot).socketUrl)
            for socket in [adas, beas] { _ = try await socket.message("handshake") }
            await adas.cheer()
            _ = try await beas.skip(to: "aleResponse")
            await balancer.stop()
            #expect(access("\(folder.path)/server.sock", F_OK) == 0)
        }
    }

    @Test("trusts a client of the socket to name the person's address")
    func trusted() async throws {
        let limits = ["SIGNUPS_PER_MINUTE": "1"]
        try await Stage.with(.openNow, limits) { stage in
            let server = try await stage.startOne(Self.settings(stage))
            var statuses: [Int] = []
            for client in ["192.0.2.1", "192.0.2.1", "192.0.2.2"] {
                let answer = try await Self.ask(
                    server, "/v1/users", "-H", "X-Forwarded-For: \(client)", "-H",
                    "Content-Type: application/json", "-d", "{\"name\":\"Ada\"}")
                statuses.append(answer.status)
            }
            #expect(statuses == [201, 429, 201])
            #expect(!server.log.contains("TRUSTED_PROXIES"), "\(server.log)")
        }
    }

    @Test("replaces the file of a server that was killed, and leaves that of one that runs")
    func restarted() async throws {
        try await Stage.with(.openNow) { stage in
            let settings = Self.settings(stage)
            let first = try await stage.startOne(settings)
            await first.kill()
            #expect(access(Self.path(stage), F_OK) == 0)
            let second = try await stage.startOne(settings)
            let third = try await Self.run(stage, settings)
            #expect(third.status == 1, "\(third)")
            #expect(third.errors.contains("Another Let's Switch server listens at unix:"), "\(third)")
            #expect(try await Self.ask(second, "/readyz").status == 200)
        }
    }

    @Test("needs INTERNAL_PORT where there are other servers, whichever starts first")
    func others() async throws {
        try await Stage.with(.openNow) { stage in
            let settings = Self.settings(stage)
            let alone = try await stage.startOne(settings)
            let refused = try await Self.run(stage, ["PORT": "0"])
            #expect(refused.status == 1 && refused.errors.contains("Set INTERNAL_PORT there"), "\(refused)")
            await alone.stop()
            _ = try await stage.startOne()
            let second = try await Self.run(stage, settings)
            #expect(second.status == 1 && second.errors.contains("Set INTERNAL_PORT, a"), "\(second)")
            let reached = try await stage.startOne(settings.merging(["INTERNAL_PORT": "0"]) { $1 })
            #expect(try await Self.ask(reached, "/readyz").status == 200)
            let cluster = try await Self.run(stage, [:], "cluster")
            #expect(cluster.status == 0, "\(cluster)")
            #expect(cluster.output.contains("2 servers are running, and each reaches each."), "\(cluster)")
        }
    }
}
