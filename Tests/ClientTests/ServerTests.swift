import Client
import Testing

@Suite("The URL of a server")
struct ServerTests {
    @Test(
        "is taken apart",
        arguments: [
            ("http://127.0.0.1:8080", "127.0.0.1", 8080, ""), ("HTTP://example.org/", "example.org", 80, ""),
            ("http://example.org:81/base/", "example.org", 81, "/base"),
            ("http://[::1]:8080", "::1", 8080, ""),
        ])
    func valid(url: String, host: String, port: UInt16, base: String) throws {
        let server = try Server(url)
        #expect(server.host == host)
        #expect(server.port == port)
        #expect(server.basePath == base)
    }

    @Test(
        "is refused where it is none",
        arguments: [
            "", "example.org", "http://", "http://a b", "http://a:0", "http://a:65536", "http://a:x",
            "ftp://a",
            "http://user@a", "http://a?x=1", "http://a#x", "http://[::1", "http://a\r\nX: y", "http://a:+1",
        ])
    func invalid(url: String) {
        #expect(throws: ClientError.self) { try Server(url) }
    }

    @Test("with https says that TLS comes later")
    func secure() {
        let error = #expect(throws: ClientError.self) { try Server("https://example.org") }
        #expect(error?.detail.contains("TLS") == true)
    }
}
