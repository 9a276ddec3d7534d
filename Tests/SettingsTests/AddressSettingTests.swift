import Testing

@testable import Settings

@Suite("Settings of addresses")
struct AddressSettingTests {
    private func configuration(
        _ environment: [String: String]
    ) throws(ConfigurationError) -> ServerConfiguration {
        try ServerConfiguration(arguments: [], environment: environment)
    }

    @Test(
        "a public URL is scheme, host, port and path, without a slash at the end",
        arguments: [
            ("http://a", "http://a"), ("https://a.example/", "https://a.example"),
            ("HTTPS://A.Example:443/x/", "https://a.example:443/x"), ("http://[::1]:80", "http://[::1]:80"),
            ("ftp://a", nil), ("a.example", nil), ("http://", nil), ("http:///x", nil), ("http://a?x", nil),
            ("http://a#x", nil), ("http://u@a", nil), ("http://a:0", nil), ("http://a:65536", nil),
            ("http://a:", nil), ("http://a b", nil), ("http://a/\u{1}", nil), ("http://[x]", nil),
            ("http://127.1", nil), ("http://a..b", nil), ("http://a/x-1._~/Y//", "http://a/x-1._~/Y"),
            ("http://a/%20", nil), ("http://a//x", nil), ("http://a/x/../y", nil), ("http://a/.", nil),
            ("http://a/x;y", nil), ("http://a/x&y", nil),
        ])
    func publicURL(given: String, kept: String?) {
        #expect((try? configuration(["PUBLIC_URL": given]))?.explicitPublicURL == kept)
    }

    @Test(
        "the base path is the path of the public URL",
        arguments: [
            (nil, ""), ("https://a", ""), ("https://a/", ""), ("https://a:8443/x/y/", "/x/y"),
        ])
    func basePath(url: String?, path: String) throws {
        let settings = url.map { ["PUBLIC_URL": $0] } ?? [:]
        #expect(try configuration(settings).basePath == path)
    }

    @Test("an IPv6 host has brackets in the public URL")
    func publicURLOfIPv6() throws {
        #expect(try configuration(["HOST": "::1"]).publicURL(boundTo: 9) == "http://[::1]:9")
        #expect(try configuration(["HOST": "[::1]"]).host == "::1")
    }

    @Test(
        "HOST can be the path of a Unix socket",
        arguments: [
            ("unix:/run/letsswitch/server.sock", true), ("unix:/x", true), ("unix:", false),
            ("unix:x", false), ("unix:/x/", false), ("unix:/a\nb", false), ("UNIX:/x", false),
            ("unix:/" + String(repeating: "x", count: 106), true),
            ("unix:/" + String(repeating: "x", count: 107), false),
        ])
    func socket(host: String, isValid: Bool) throws {
        let read = try? configuration(["HOST": host])
        #expect(read?.host == (isValid ? host : nil) && (read?.isAtSocket ?? false) == isValid)
        // Operators and other servers have addresses.
        if isValid { #expect((try? configuration(["ADMIN_HOST": host])) == nil) }
    }

    @Test("a server at a Unix socket needs PUBLIC_URL, and other commands do not")
    func publicURLOfSocket() throws {
        var environment = ["HOST": "unix:/x"]
        let error = #expect(throws: ConfigurationError.self) {
            try ServerCommand(arguments: [], environment: environment)
        }
        #expect(error?.description.hasPrefix("HOST=unix:/x needs PUBLIC_URL") == true)
        _ = try ServerCommand(arguments: ["healthcheck"], environment: environment)
        environment["PUBLIC_URL"] = "https://example.org"
        _ = try ServerCommand(arguments: [], environment: environment)
    }

    @Test(
        "SOCKET_MODE is octal",
        arguments: [
            ("0660", 0o660), ("777", 0o777), ("0", 0), ("1777", nil), ("0o660", nil), ("-1", nil), ("8", nil),
        ] as [(String, UInt32?)])
    func mode(text: String, mode: UInt32?) {
        #expect((try? configuration(["SOCKET_MODE": text]))?.socketMode == mode)
    }

    @Test("SOCKET_GROUP is a group of the system or a number")
    func group() throws {
        #expect(try configuration(["SOCKET_GROUP": "root"]).socketGroup == 0)
        #expect(try configuration(["SOCKET_GROUP": "4711"]).socketGroup == 4711)
        #expect(try configuration([:]).socketGroup == nil)
        #expect((try? configuration(["SOCKET_GROUP": "no such group"])) == nil)
    }
}
