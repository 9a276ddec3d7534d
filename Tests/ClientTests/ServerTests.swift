import Testing

@testable import Client

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

    @Test("can be a Unix socket, whose requests are for localhost")
    func socket() throws {
        let server = try Server("unix:/run/letsswitch/server.sock")
        #expect(server.url == "unix:/run/letsswitch/server.sock" && server.isSocket && !server.isSecure)
        #expect(server.authority == "localhost" && server.basePath == "")
        #expect(try !Server("http://127.0.0.1").isSocket)
        let long = "unix:/" + String(repeating: "x", count: 107)
        for url in ["unix:", "unix:x", long] { #expect(throws: ClientError.self) { try Server(url) } }
    }

    @Test(
        "is refused where it is none",
        arguments: [
            "", "example.org", "http://", "http://a b", "http://a:0", "http://a:65536", "http://a:x",
            "ftp://a",
            "http://user@a", "http://a?x=1", "http://a#x", "http://[::1", "http://a\r\nX: y", "http://a:+1",
            "http://127.1", "http://a..b", "http://[ab]",
        ])
    func invalid(url: String) {
        #expect(throws: ClientError.self) { try Server(url) }
    }

    @Test(
        "says whether it is TLS, and is written without the usual port",
        arguments: [
            ("https://example.org", true, 443, "https://example.org"),
            ("HTTPS://example.org:443/base/", true, 443, "https://example.org/base"),
            ("https://example.org:80", true, 80, "https://example.org:80"),
            ("http://example.org:443", false, 443, "http://example.org:443"),
            ("http://example.org:80/", false, 80, "http://example.org"),
            ("https://[::1]", true, 443, "https://[::1]"),
        ])
    func secure(url: String, isSecure: Bool, port: UInt16, written: String) throws {
        let server = try Server(url)
        #expect(server.isSecure == isSecure)
        #expect(server.port == port)
        #expect(server.url == written)
    }
}
