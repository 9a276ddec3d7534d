import CLinux
import Glibc

/// An IPv4 or IPv6 address without a port, in few bytes. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`),
/// which a socket for both reports, is stored as IPv4.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The bits of the address; those of an IPv4 address are the upper 32 of them.
    let bits: UInt128
    package let isIPv4: Bool

    package var description: String {
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: bits >> (120 - 8 * $0)) }
        return Self.text(of: isIPv4 ? Array(bytes.prefix(4)) : bytes)
    }

    /// Returns the text of the 4 or 16 bytes of an address in network order.
    package static func text(of bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        // This is safe: both families need no more characters.
        _ = inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension IPAddress {
    /// Creates the address of a socket address; nil for a Unix socket.
    package init?(_ address: SocketAddress) {
        let bytes = address.addressBytes
        let number = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        switch bytes.count {
        case 4: self.init(bits: number << 96, isIPv4: true)
        case 16 where number >> 32 == 0xFFFF: self.init(bits: number << 96, isIPv4: true)
        case 16: self.init(bits: number, isIPv4: false)
        default: return nil
        }
    }

    /// Reads a numeric address without brackets and without a zone; nil for any other text.
    package init?(_ text: String) {
        guard let address = SocketAddress(numeric: text, port: 0) else { return nil }
        self.init(address)
    }
}

/// A network: all addresses with the same prefix.
package struct IPNetwork: Hashable, Sendable {
    private let isIPv4: Bool
    private let bits: UInt128
    private let mask: UInt128

    /// Reads an address, or one with the length of its prefix, such as `10.0.0.0/8`; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let isWrittenAsIPv6 = text.contains(":")
        let width = isWrittenAsIPv6 ? 128 : 32
        guard let address = IPAddress(String(parts[0])) else { return nil }
        var length = width
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let given = Int(parts[1]),
                given <= width
            else { return nil }
            length = given
        }
        // The first 96 bits of an IPv4-mapped IPv6 address are constant.
        if address.isIPv4 && isWrittenAsIPv6 { length = max(0, length - 96) }
        isIPv4 = address.isIPv4
        mask = .max << (128 - length)
        bits = address.bits & mask
    }

    package func contains(_ address: IPAddress) -> Bool {
        address.isIPv4 == isIPv4 && address.bits & mask == bits
    }
}
