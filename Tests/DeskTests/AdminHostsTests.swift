import Testing

@testable import Console

@Suite("The hosts of the operators' listener")
struct AdminHostsTests {
    @Test(
        "are the loopback, ADMIN_HOST and ADMIN_HOSTS, at any port",
        arguments: [
            ("127.0.0.1:8081", true), ("127.8.9.1", true), ("localhost:9000", true), ("LOCALHOST", true),
            ("[::1]:8081", true), ("desk.internal:8081", true), ("Scraper", true), ("192.0.2.7:8081", true),
            ("[2001:db8::7]", true), ("[2001:DB8:0::7]:1", true), (nil, false), ("", false),
            ("evil.example", false), ("127.0.0.1.evil.example", false), ("127.evil.example", false),
            ("localhost.evil.example", false), ("192.0.2.8", false), ("[2001:db8::8]", false),
            ("desk.internal.evil.example", false), ("0.0.0.0:8081", false),
        ] as [(String?, Bool)])
    func accepted(authority: String?, isAccepted: Bool) {
        let hosts = AdminHosts(bound: "desk.internal", others: ["scraper", "192.0.2.7", "2001:db8::7"])
        #expect(hosts.accept(authority) == isAccepted)
    }

    @Test(
        "are all addresses, and no further name, where it listens at every address",
        arguments: ["0.0.0.0", "::"])
    func everyAddress(bound: String) {
        let hosts = AdminHosts(bound: bound)
        #expect(hosts.accept("192.0.2.7:8081") && hosts.accept("[2001:db8::7]") && hosts.accept("localhost"))
        #expect(!hosts.accept("evil.example:8081") && !hosts.accept("server-1:8081"))
    }
}
