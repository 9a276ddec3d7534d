import HTTP1
import HTTPServer
import Testing

@Suite("Pages of other origins (CORS)")
struct CrossOriginTests {
    private static let page = "Origin: https://app.example.org"
    private static let sharing = CrossOriginSharing(
        origins: ["https://app.example.org", "http://localhost:5173"],
        requestHeaders: ["Authorization", "Content-Type"], exposedHeaders: ["Location", "Retry-After"])

    /// Returns the answer's fields that are about origins, by their names in lower case.
    private static func ask(
        _ line: String, _ fields: String..., by rules: CrossOriginSharing? = Self.sharing
    ) async throws -> (status: Int, fields: [String: String]) {
        let fixture = try await Fixture(sharing: rules) { router, _ in
            router.immediate(.get, "/stream") { _ in
                HTTPResponse(status: 200, headers: [:]) { stream in _ = try? await stream.write([65]) }
            }
        }
        let text = "\(line) HTTP/1.1\r\nHost: test\r\n" + fields.map { "\($0)\r\n" }.joined()
        let method = HTTPMethod(rawValue: String(line.prefix { $0 != " " }))
        let answer = try await fixture.exchange(text + "Connection: close\r\n\r\n", method)
        let response = try #require(answer.first)
        var found: [String: String] = [:]
        for field in response.head.headers.fields {
            let name = field.name.lowercased()
            if name == "vary" || name.hasPrefix("access-control-") { found[name] = field.value }
        }
        return (response.status, found)
    }

    @Test("are not spoken of where none is allowed")
    func off() async throws {
        #expect(CrossOriginSharing(origins: [], requestHeaders: [], exposedHeaders: []) == nil)
        for line in ["GET /now/x", "OPTIONS /now/x", "GET /stream", "GET /missing"] {
            let answer = try await Self.ask(
                line, Self.page, "Access-Control-Request-Method: GET", by: nil)
            #expect(answer.fields.isEmpty)
        }
    }

    @Test(
        "that are allowed may read every answer, also a refusal and a stream",
        arguments: [
            ("GET /now/x", 200), ("HEAD /now/x", 200), ("GET /stream", 200), ("GET /missing", 404),
            ("DELETE /now/x", 405), ("GET /%ff", 400), ("OPTIONS /now/x", 204),
        ])
    func allowed(line: String, status: Int) async throws {
        let answer = try await Self.ask(line, Self.page)
        #expect(answer.status == status)
        #expect(
            answer.fields == [
                "vary": "Origin", "access-control-allow-origin": "https://app.example.org",
                "access-control-expose-headers": "Location, Retry-After",
            ])
    }

    @Test("ask first, and hear which methods and fields they may send")
    func preflight() async throws {
        let answer = try await Self.ask(
            "OPTIONS /echo", "Origin: http://localhost:5173", "Access-Control-Request-Method: POST",
            "Access-Control-Request-Headers: authorization,content-type")
        #expect(answer.status == 204)
        #expect(
            answer.fields == [
                "vary": "Origin", "access-control-allow-origin": "http://localhost:5173",
                "access-control-allow-methods": "POST, OPTIONS",
                "access-control-allow-headers": "Authorization, Content-Type",
                "access-control-max-age": "3600",
            ])
    }

    @Test(
        "that are not allowed get nothing, however alike they are",
        arguments: [
            "https://app.example.org:443", "http://app.example.org", "https://APP.example.org",
            "https://app.example.org/", "https://app.example.org.evil.test", "https://evil.test", "null", "*",
            "http://localhost", "",
        ])
    func others(origin: String) async throws {
        for line in ["GET /now/x", "OPTIONS /echo"] {
            let answer = try await Self.ask(line, "Origin: \(origin)", "Access-Control-Request-Method: POST")
            #expect(answer.fields == ["vary": "Origin"])
        }
    }

    @Test("are one: two fields, or none, are no origin")
    func several() async throws {
        #expect(try await Self.ask("GET /now/x", Self.page, Self.page).fields == ["vary": "Origin"])
        #expect(try await Self.ask("GET /now/x").fields == ["vary": "Origin"])
    }
}
