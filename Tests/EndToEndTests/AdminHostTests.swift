import Contract
import Testing

@Suite("The operators' listener", .timeLimit(.minutes(5)))
struct AdminHostTests {
    @Test("answers for its own names and those of ADMIN_HOSTS, and for no other host")
    func rebinding() async throws {
        try await Stage.with { stage in
            let server = try await stage.startOne(["ADMIN_PORT": "0", "ADMIN_HOSTS": "scraper.internal"])
            let line = server.log.split(separator: "\n").first { $0.contains("listening for operators") }
            let port = try #require(line?.split(separator: ":").last)
            for path in ["/metrics", "/debug", "/", "/readyz?verbose", "/admin/v1/openapi.json"] {
                for (host, status) in [
                    ("127.0.0.1:\(port)", 200), ("localhost:9000", 200), ("scraper.internal", 200),
                    ("evil.example:\(port)", 421), ("127.0.0.1.evil.example", 421), ("192.0.2.7", 421),
                ] {
                    let answer = try await Curl("http://127.0.0.1:\(port)\(path)", "-H", "Host: \(host)")
                    #expect(answer.status == status, "\(path) at \(host)")
                    if status == 421 {
                        #expect(try answer.json["type"]?.string == "/problems/misdirected")
                        #expect(!answer.body.contains("letsswitch_"))
                    }
                }
            }
            // Host in the target counts before the field.
            let absolute = try await Curl(
                "http://127.0.0.1:\(port)/metrics", "--request-target", "http://evil.example/metrics")
            #expect(absolute.status == 421)
            #expect(server.log.contains("its host is not in ADMIN_HOSTS host=evil.example:\(port)"))
            // The public listener answers for any host.
            let open = try await Curl("\(server.url)/livez", "-H", "Host: any.example")
            #expect(open.status == 200)
        }
    }
}
