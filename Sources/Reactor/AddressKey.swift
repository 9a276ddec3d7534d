import CLinux
import Glibc

/// Whom connections are counted for: an IPv4 address, or the /64 of an IPv6 one, since whoever has one address of
/// that has all of it.
package struct AddressKey: Hashable, Sendable {
    private let family: CInt
    private let bits: UInt64

    /// IPv4 in IPv6 (`::ffff:192.0.2.1`) is IPv4: so a socket that takes both sees it.
    package init(_ address: SocketAddress) {
        let bytes = address.addressBytes
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        let isMapped = bytes.count == 16 && bytes.starts(with: mapped)
        family = isMapped ? AF_INET : address.family
        bits = (isMapped ? bytes[12...] : bytes.prefix(8)).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
