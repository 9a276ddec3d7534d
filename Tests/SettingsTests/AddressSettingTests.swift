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
}
