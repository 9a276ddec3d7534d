import Testing

@testable import Contract

@Suite struct ProxyURLTests {
    @Test("the credentials are decoded, and the description leaves them out")
    func credentials() throws {
        let proxy = try #require(ProxyURL("http://anna:p%40ss%2F@Proxy.example.org:3128/"))
        #expect(proxy.host == "proxy.example.org" && proxy.port == 3128 && !proxy.isSecure)
        #expect(proxy.credentials == .init(user: "anna", password: "p@ss/"))
        #expect(proxy.credentials?.field == "Basic YW5uYTpwQHNzLw==")
        var dumped = ""
        dump(proxy, to: &dumped)
        for text in ["\(proxy)", String(reflecting: proxy), dumped] {
            #expect(text.contains("http://proxy.example.org:3128") && !text.contains("anna"), "\(text)")
        }
    }

    @Test("the scheme and the port may be left out")
    func defaults() throws {
        #expect(try #require(ProxyURL("proxy:3128")).description == "http://proxy:3128")
        #expect(try #require(ProxyURL("https://[::1]")).description == "https://[::1]:443")
        #expect(try #require(ProxyURL("http://proxy")).port == 80)
    }

    @Test(
        "other texts are no URLs of a proxy",
        arguments: [
            "", "socks5://proxy:1080", "http://proxy/path", "http://proxy?x", "http://a@", "http://:1",
        ])
    func faults(text: String) { #expect(ProxyURL(text) == nil) }
}
