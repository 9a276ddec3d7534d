import Reactor
import Testing

@Suite("Keys by which connections are counted")
struct AddressKeyTests {
    private func key(_ host: String, port: UInt16 = 1) throws -> AddressKey {
        AddressKey(try #require(SocketAddress(numeric: host, port: port)))
    }

    @Test(
        "one address, whatever its port; of IPv6 the first 64 bits; IPv4 in IPv6 is IPv4",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8::ffff:1"),
            ("2001:db8:0:1::1", "2001:db8:0:1:8000::"), ("::ffff:192.0.2.1", "192.0.2.1"),
        ])
    func same(one: String, other: String) throws {
        #expect(try key(one) == key(other, port: 2))
    }

    @Test(
        "others are others",
        arguments: [
            ("192.0.2.1", "192.0.2.2"), ("192.0.2.1", "193.0.2.1"), ("2001:db8::1", "2001:db8:0:1::1"),
            ("::ffff:192.0.2.1", "::ffff:192.0.2.2"), ("::192.0.2.1", "192.0.2.1"), ("0.0.0.0", "::"),
        ])
    func different(one: String, other: String) throws {
        #expect(try key(one) != key(other))
    }
}
