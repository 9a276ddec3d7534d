import Codecs
import Glibc
import Reactor
import SocketTesting
import TestKit
import Testing

/// The paths that the configurations in `ops/balancers` keep from the outside, in all their spellings.
@Suite("Paths behind balancers", .timeLimit(.minutes(5)))
struct BalancerPathTests {
    private static let kept = ["/metrics", "/cluster/rooms"]

    /// Other spellings of a path: each character escaped, once or twice, in both cases of the digits; all of
    /// them escaped; and with segments that a normalization removes.
    private static func spellings(of path: String) -> [String] {
        func escape(_ byte: UInt8) -> String { "%" + String(byte, radix: 16) }
        let bytes = Array(path.utf8)
        var all: [String] = []
        for index in bytes.indices.dropFirst() {
            let before = String(decoding: bytes[..<index], as: UTF8.self)
            let after = String(decoding: bytes[(index + 1)...], as: UTF8.self)
            let escaped = escape(bytes[index])
            for spelling in [escaped, escaped.uppercased(), "%25" + escaped.dropFirst()] {
                all.append(before + spelling + after)
            }
        }
        let whole = bytes.dropFirst().map(escape).joined()
        return all + [
            "/\(whole)", "/%2f\(path.dropFirst())", "/%2e\(path)", "/./%2e\(path)", "/x/%2e%2e\(path)",
            "/x/..\(path)", "/%2E%2E\(path)", "/.\(path)", "/\(path)", "\(path)%2f", "\(path)%00",
            "\(path)%3f", "http://h\(path)", "http://h/%6d\(path.dropFirst(2))",
        ]
    }

    /// Returns the status and the whole answer to a request with exactly this target.
    private static func ask(_ target: String, at port: UInt16) async throws -> (status: Int, text: String) {
        let wire = try await Wire.connect(port: port)
        await wire.write("GET \(target) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        let text = try await wire.readAll()
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0, text)
    }

    @Test(
        "no spelling of a path that is kept from the outside reaches what is there",
        arguments: [Balancer.Recipe.haproxy, .nginx, .turns])
    func spelled(recipe: Balancer.Recipe) async throws {
        try await Stage.with(.openNow) { stage in
            let port = try ReservedPort()
            let server = try await stage.startOne(["PUBLIC_URL": "http://127.0.0.1:\(port.number)"])
            let balancer = try await Balancer(recipe, at: port, before: [server, server, server])
            for path in Self.kept {
                // The server itself has something there.
                #expect(![400, 404].contains(try await Self.ask(path, at: server.ownPort).status), "\(path)")
                #expect(try await Self.ask(path, at: port.number).status == 404, "\(path)")
                for spelling in Self.spellings(of: path) {
                    let answer = try await Self.ask(spelling, at: port.number)
                    #expect([400, 404].contains(answer.status), "\(spelling): \(answer.text.prefix(300))")
                }
            }
            // Other escapes are taken as before.
            #expect(try await Self.ask("/v1/%c3%a4", at: port.number).status == 404)
            await balancer.stop()
        }
    }

    @Test(
        "the logs of nginx have the paths, and no ticket, token or address of a calendar",
        arguments: [Balancer.Recipe.nginx, .turns])
    func logs(recipe: Balancer.Recipe) async throws {
        try await Stage.with(.openNow) { stage in
            let port = try ReservedPort()
            let server = try await stage.startOne(["PUBLIC_URL": "http://127.0.0.1:\(port.number)"])
            let balancer = try await Balancer(recipe, at: port, before: [server, server, server])
            let targets = [
                "/socket?id=0&token=ticket-secret", "/v1/me?token=query-secret", "/calendars/path-secret.ics",
                "/%63alendars/path-secret.ics", "//calendars/path-secret.ics",
            ]
            for target in targets { _ = try await Self.ask(target, at: port.number) }
            // A server that is gone is reported with the request.
            await server.kill()
            for target in targets { #expect(try await Self.ask(target, at: port.number).status >= 400) }
            // nginx writes a request's line before it closes the connection, but for the last of them.
            try await eventually {
                try balancer.logs().split(separator: "\n").count { $0.contains("GET /") } >= 10
            }
            let logs = try balancer.logs()
            await balancer.stop()
            #expect(!logs.contains("secret"), "\(logs)")
            #expect(logs.contains("GET /socket HTTP/1.1") && logs.contains("GET /calendars/- HTTP/1.1"))
        }
    }

    @Test("the balancer of the containers refuses the same paths")
    func containers() async throws {
        let port = try ReservedPort()
        let folder = TemporaryFolder(mode: 0o755)
        let text = try await Finished.run(
            "sed",
            [
                "-e", "s/bind :8080/bind 127.0.0.1:\(port.number)/",
                "\(Balancer.configurations)/containers/haproxy.cfg",
            ])
        var command = ChildProcess.Command(
            try Balancer.path(of: "haproxy"), ["-db", "-f", try folder.file("configuration", text.output)])
        command.environment = BuiltProgram.environment(["TLS": "off", "NAME_SERVER": "127.0.0.1:9"])
        command.timeLimit = .seconds(300)
        let child = try ChildProcess(command)
        try await eventually { (try? await Self.ask("/livez", at: port.number))?.status == 503 }
        for path in Self.kept {
            #expect(try await Self.ask(path, at: port.number).status == 404, "\(path)")
            for spelling in Self.spellings(of: path) where (try? PercentCoding.decode(spelling)) == path {
                #expect(try await Self.ask(spelling, at: port.number).status == 404, "\(spelling)")
            }
        }
        child.signal(SIGTERM)
        _ = await child.ending()
    }
}
