import Client
import Contract
import HTTP1
import PostgresTesting
import Reactor
import SocketTesting
import TestKit
import Testing

@Suite("A server below a path", .timeLimit(.minutes(5)))
struct BasePathTests {
    /// A proxy that has the server below `/switch`.
    enum Proxy: CaseIterable {
        case nginxRemovesPath, nginxKeepsPath, haproxyRemovesPath, haproxyKeepsPath

        func start(at port: ReservedPort, before server: ServerProcess) async throws -> Balancer {
            let (own, upstream) = ("127.0.0.1:\(port.number)", "127.0.0.1:\(server.ownPort)")
            return switch self {
            case .nginxRemovesPath, .nginxKeepsPath:
                try await Balancer(
                    "nginx",
                    """
                    map $http_upgrade $letsswitch_connection { default upgrade; "" ""; }
                    server {
                        listen \(own) reuseport;
                        location /switch/ {
                            proxy_pass http://\(upstream)\(self == .nginxRemovesPath ? "/" : "");
                            proxy_http_version 1.1;
                            proxy_set_header Host       $http_host;
                            proxy_set_header Upgrade    $http_upgrade;
                            proxy_set_header Connection $letsswitch_connection;
                            proxy_buffering off;
                            proxy_read_timeout 90s;
                        }
                    }
                    """, at: port, below: "/switch")
            case .haproxyRemovesPath, .haproxyKeepsPath:
                try await Balancer(
                    "haproxy",
                    """
                    defaults
                        mode http
                        timeout connect 5s
                        timeout client 90s
                        timeout server 90s
                    frontend clients
                        bind \(own)
                        use_backend letsswitch if { path_beg /switch/ }
                    backend letsswitch
                        \(self == .haproxyRemovesPath ? "http-request replace-path /switch/(.*) /\\1" : "")
                        server one \(upstream)

                    """, at: port, below: "/switch")
            }
        }
    }

    @Test(
        "is used through a proxy that removes the path, and through one that keeps it",
        arguments: Proxy.allCases)
    func used(proxy: Proxy) async throws {
        try await Stage.with(.openNow) { stage in
            let port = try ReservedPort()
            let server = try await stage.startOne(["PUBLIC_URL": "http://127.0.0.1:\(port.number)/switch"])
            let balancer = try await proxy.start(at: port, before: server)
            try await expectAddresses(balancer.url)
            try await expectMeeting(stage, at: balancer.url)
            try await expectCommands(at: "\(balancer.url)/switch")
            for path in ["/livez", "/readyz", "/switch/livez", "/switch/readyz", "/switch", "/switch/"] {
                #expect(try await Curl(server.url + path).status == 200, "\(path)")
            }
            for path in [
                "/switching", "/switch/switch/livez", "/Switch/livez", "/switch/metrics",
                "/switch/cluster/probe",
            ] {
                #expect(try await Curl(server.url + path).status == 404, "\(path)")
            }
            await balancer.stop()
        }
    }

    /// Expects that the page and the documents name addresses that are there.
    private func expectAddresses(_ origin: String) async throws {
        let url = "\(origin)/switch"
        let shell = try await Curl("\(url)/", "-H", "Accept: text/html")
        #expect(shell.status == 200 && shell.body.contains("<script type=\"module\""))
        let links = shell.body.matches(of: /(?:src|href)="(\/[^"]*)"/).map { String($0.1) }
        #expect(links.count > 10 && links.allSatisfy { $0.hasPrefix("/switch/") }, "\(links)")
        for link in links + ["/switch/worker.js", "/switch/problems", "/switch/day"] {
            let got = try await Finished.run("curl", ["-fsS", "--output", "/dev/null", origin + link])
            #expect(got.status == 0, "\(link)")
        }
        let refused = try await Curl("\(url)/v1/nothing")
        let type = try refused.json["type"]?.string
        #expect(refused.status == 404 && type == "/switch/problems/not-found")
        let problem = try await Curl(origin + (type ?? ""))
        #expect(problem.status == 200 && problem.body.contains("href=\"/switch/problems\""))
        // It is larger than the output that is kept of a child.
        let folder = TemporaryFolder()
        let file = "\(folder.path)/openapi.json"
        let fetched = try await Finished.run("curl", ["-fsS", "--output", file, "\(url)/openapi.json"])
        #expect(fetched.status == 0, "\(fetched)")
        let description = try JSONValue.parse(Array(SmallFile.read(file, limit: 1 << 20).utf8))
        #expect(description["servers"]?.array?.first?["url"]?.string == "/switch")
        #expect(description["paths"]?["/problems/{name}"] != nil)
    }

    /// Expects that two people meet in a room, by the addresses that the service gives them.
    private func expectMeeting(_ stage: Stage, at origin: String) async throws {
        let url = "\(origin)/switch"
        let ada = try await Person(named: "Ada", at: try Server(url))
        let bea = try await Person(named: "Bea", at: try Server(url))
        let made = try await Curl.post(
            "\(url)/v1/registrations", "{\"task\":\"Write\",\"slots\":[\"\(stage.grid.openSlot)\"]}",
            token: ada.token)
        let location = made.headers["location"] ?? ""
        #expect(made.status == 201 && location.hasPrefix("/switch/v1/registrations/"))
        let read = try await Curl(origin + location, "-H", "Authorization: Bearer \(ada.token)")
        #expect(read.status == 200)
        try await bea.register(stage.grid.openSlot)
        let room = try await ada.roomOpened()
        let adas = try await RoomSocket.open(url: room.socketUrl)
        let beas = try await RoomSocket.open(url: try await bea.roomOpened().socketUrl)
        for socket in [adas, beas] { _ = try await socket.message("handshake") }
        await adas.cheer()
        _ = try await beas.skip(to: "aleResponse")
        let cid = try await Person(named: "Cid", at: try Server(url))
        let refused = await #expect(throws: RoomSocket.APIError.self) {
            _ = try await RoomSocket.open(
                "/switch/socket?id=\(room.roomId)", port: cid.api.server.port,
                headers: ["Authorization": "Bearer \(cid.token)"])
        }
        #expect(refused?.problem.type == "/switch/problems/not-found")
        let calendar = try await Curl.post("\(url)/v1/me/calendars", "", token: ada.token).json
        let webcal = try #require(calendar["webcal"]?.string)
        #expect(webcal.hasPrefix("webcal://\(origin.dropFirst("http://".count))/switch/calendars/"))
        let feed = try await Curl("http" + webcal.dropFirst("webcal".count))
        #expect(feed.status == 200 && feed.body.contains("URL:\(url)"))
    }

    /// Expects that the command line client works at a URL with a path.
    private func expectCommands(at url: String) async throws {
        let user = CommandLineUser(at: "http://127.0.0.1:1")
        for command in [["signup", "Cid"], ["whoami"], ["slots"], ["doctor"]] {
            let run = try await user.run(command + ["--server", url])
            #expect(run.status == 0, "\(command): \(run)")
        }
    }

    @Test(
        "does not start below a path that it uses itself",
        arguments: ["/v1", "/day/x", "/problems", "/page"])
    func own(path: String) async throws {
        try await Stage.with { stage in
            let settings = [
                "DATABASE_URL": stage.database.url, "PORT": "0",
                "PUBLIC_URL": "https://example.org\(path)", "DATA_DIR": stage.folder.path,
            ]
            let run = try await Finished.run(
                try BuiltProgram.server.path(), [], environment: BuiltProgram.environment(settings))
            #expect(run.status == 1 && run.errors.contains("PUBLIC_URL has the path \(path)"), "\(run)")
        }
    }
}
