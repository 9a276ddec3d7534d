import Testing

@testable import Contract

@Suite("The parts of a URL")
struct WebAddressTests {
    @Test(
        "are the scheme, the host, the port, the path and the query",
        arguments: [
            ("ws://a", "ws", "a", nil, "", nil), ("WSS://A.b/", "wss", "a.b", nil, "/", nil),
            ("http://a:80/b//c?d?e", "http", "a", 80, "/b//c", "d?e"),
            ("http://a?", "http", "a", nil, "", ""),
            ("ftp://[::1]:21/://", "ftp", "::1", 21, "/://", nil),
            ("http://a?b=http://c/", "http", "a", nil, "", "b=http://c/"),
        ] as [(String, String, String, UInt16?, String, String?)])
    func parts(text: String, scheme: String, host: String, port: UInt16?, path: String, query: String?) throws
    {
        let address = try WebAddress(text)
        #expect(address.scheme == scheme && address.host == host && address.port == port)
        #expect(address.path == path && address.query == query)
    }

    @Test(
        "are not read from what is no URL",
        arguments: [
            "", "a", "://a", "/://a", "1://a", "http:/a", "ws://", "ws://[a]", "ws://[::1", "ws://a:",
        ])
    func refuses(text: String) {
        #expect(throws: ValidationError.self) { try WebAddress(text) }
    }

    @Test("a host has labels of at most 63 characters, and at most 253 in all")
    func longHost() throws {
        func name(_ labels: Int...) -> String {
            labels.map { String(repeating: "a", count: $0) }.joined(separator: ".")
        }
        for host in [name(63), name(1, 63, 1), name(63, 63, 63, 61)] {
            #expect(try WebAddress("https://\(host)/x").host == host)
        }
        for host in [name(64), name(1, 64), name(64, 1), name(63, 63, 63, 62)] {
            #expect(throws: ValidationError.self) { try WebAddress("https://\(host)/x") }
        }
    }

    @Test("a host with colons has brackets in an authority")
    func authority() {
        #expect(WebAddress.authority(host: "a", port: nil) == "a")
        #expect(WebAddress.authority(host: "::1", port: 80) == "[::1]:80")
    }
}
