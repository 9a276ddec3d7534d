/// Whom connections and requests are counted for: an IPv4 address, or the /64 of an IPv6 one, since whoever
/// has one address of that has all of it.
package struct AddressKey: Hashable, Sendable, CustomStringConvertible {
    private let isIPv4: Bool
    private let bits: UInt64

    package init(_ address: IPAddress) {
        isIPv4 = address.isIPv4
        bits = address.high
    }

    /// All Unix sockets have one key.
    package init(_ address: SocketAddress) {
        self.init(IPAddress(address) ?? IPAddress(isIPv4: false, high: 0, low: 0))
    }

    /// The address, or the network.
    package var description: String {
        let address = IPAddress(isIPv4: isIPv4, high: bits, low: 0)
        return isIPv4 ? "\(address)" : "\(address)/64"
    }
}
