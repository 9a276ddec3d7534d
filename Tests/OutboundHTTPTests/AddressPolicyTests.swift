import OutboundHTTP
import Reactor
import Testing

@Suite struct AddressPolicyTests {
    private func isPublic(_ text: String) throws -> Bool {
        AddressPolicy.isPublic(try #require(SocketAddress(numeric: text, port: 80)).addressBytes)
    }

    @Test(
        "what is inside of a network is refused",
        arguments: [
            "127.0.0.1", "127.255.255.254", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255",
            "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255", "224.0.0.1", "255.255.255.255",
            "198.18.0.1", "192.0.2.1", "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1",
            "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "2002:7f00:1::", "2002:a00:1::",
            "64:ff9b::7f00:1", "64:ff9b:1::1", "2001:db8::1", "2001::1", "3fff::1", "100::1",
        ])
    func refused(address: String) throws {
        #expect(try !isPublic(address))
    }

    @Test(
        "what is outside is not",
        arguments: [
            "8.8.8.8", "172.15.255.255", "172.32.0.0", "100.63.255.255", "100.128.0.0", "169.253.1.1",
            "223.255.255.255", "2606:4700::1111", "2a00:1450::1", "2002:808:808::1", "64:ff9b::808:808",
        ])
    func allowed(address: String) throws {
        #expect(try isPublic(address))
    }

    @Test("what is no address is refused", arguments: [0, 3, 5, 15, 17])
    func lengths(count: Int) {
        #expect(!AddressPolicy.isPublic([UInt8](repeating: 8, count: count)))
    }
}
