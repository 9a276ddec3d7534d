import Testing

@testable import Reactor

@Suite struct HostListTests {
    private static func list(_ entries: String...) throws -> HostList {
        var list = HostList()
        for entry in entries {
            let isEntry = list.add(entry)
            try #require(isEntry)
        }
        return list
    }

    @Test("a name stands for itself and for all names below it, and for no other")
    func names() throws {
        for entry in ["Example.org", ".example.org", "*.example.org"] {
            let list = try Self.list(entry)
            #expect(list.contains("example.org") && list.contains("a.b.example.org"))
            #expect(!list.contains("badexample.org") && !list.contains("example.org.evil.net"))
            #expect(!list.contains("127.0.0.1"))
        }
    }

    @Test("an address and a network stand for addresses, and a star for everything")
    func addresses() throws {
        let list = try Self.list("10.0.0.0/8", "192.0.2.7", "fd00::/8", "[2001:db8::1]")
        for host in ["10.1.2.3", "192.0.2.7", "fd12::1", "2001:db8::1"] { #expect(list.contains(host)) }
        for host in ["11.0.0.1", "192.0.2.8", "2001:db8::2", "localhost"] { #expect(!list.contains(host)) }
        #expect(try Self.list("*").contains("anything"))
        #expect(!HostList().contains("anything"))
    }

    @Test("other texts are no entries", arguments: ["", ".", "*.", "a:80", "a/b", "10.0.0.0/33", "é"])
    func faults(text: String) {
        var list = HostList()
        let isEntry = list.add(text)
        #expect(!isEntry)
    }
}
