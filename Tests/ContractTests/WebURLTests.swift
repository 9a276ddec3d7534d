import Contract
import Testing

@Suite struct WebURLTests {
    @Test(
        "host, port and origin are read as every reader of URLs does",
        arguments: [
            ("https://example.org", "example.org", 443, "https://example.org"),
            ("HTTP://Example.ORG:80/a?b", "example.org", 80, "http://example.org"),
            ("https://example.org:8443/", "example.org", 8443, "https://example.org:8443"),
            ("https://example.org?x", "example.org", 443, "https://example.org"),
            ("http://[2001:DB8::1]:8080/", "2001:db8::1", 8080, "http://[2001:db8::1]:8080"),
            ("http://192.0.2.7/", "192.0.2.7", 80, "http://192.0.2.7"),
            ("https://xn--bcher-kva.example/", "xn--bcher-kva.example", 443, "https://xn--bcher-kva.example"),
        ] as [(String, String, UInt16, String)])
    func reads(text: String, host: String, port: UInt16, origin: String) throws {
        let url = try WebURL(text)
        #expect(url.text == text)
        #expect(url.host == host && url.port == port && url.origin == origin)
    }

    @Test(
        "what two readers could take for different places is refused",
        arguments: [
            "", "example.org", "ftp://example.org/", "file:///etc/passwd", "https://", "https:///path",
            "https://?x", "https://:443/", "https://user@example.org/", "https://a:b@example.org/",
            "https://example.org#x", "https://example.org:0/", "https://example.org:65536/",
            "https://example.org:/", "https://example.org:8a/", "https://example.org./",
            "https://ex%61mple.org/", "https://bücher.example/", "https://exa mple.org/",
            "https://example.org\\@evil.example/", "http://2130706433/", "http://127.1/", "http://0x7f.1/",
            "http://010.0.0.1/", "http://1.2.3.4.5/", "http://256.1.1.1/", "http://[::1", "http://[]/",
            "http://[::1%25eth0]/", "http://[v1.x]/",
            "https://-localhost/", "https://a-.example/", "https://a..example/",
        ])
    func refuses(text: String) {
        #expect(throws: ValidationError.self) { try WebURL(text) }
    }
}
