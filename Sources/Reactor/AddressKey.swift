/// The key by which connections and requests are counted: an IPv4 address, or the /64 of an IPv6 address,
/// since a client that has one address of a /64 has all of it.
package struct AddressKey: Hashable, Sendable, CustomStringConvertible {
    private let isIPv4: Bool
    private let bits: UInt64

    package init(_ address: IPAddress) {
        isIPv4 = address.isIPv4
        bits = UInt64(address.bits >> 64)
    }

    /// Creates the key of a socket address; all Unix sockets have the same key.
    package init(_ address: SocketAddress) {
        self.init(IPAddress(address) ?? IPAddress(bits: 0, isIPv4: false))
    }

    /// The address, or the network of an IPv6 address.
    package var description: String {
        let address = IPAddress(bits: UInt128(bits) << 64, isIPv4: isIPv4)
        return isIPv4 ? "\(address)" : "\(address)/64"
    }
}
