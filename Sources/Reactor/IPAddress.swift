import CLinux
import Glibc

/// An IPv4 or IPv6 address without a port, in few bytes. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`),
/// which a socket for both reports, is stored as IPv4.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    package let isIPv4: Bool
    /// The first 64 bits; those of an IPv4 address are the upper 32 of them.
    let high: UInt64
    let low: UInt64

    /// Creates the address of a socket address; nil for a Unix socket.
    package init?(_ address: SocketAddress) {
        let bytes = address.addressBytes
        func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 4: self.init(isIPv4: true, high: number(0..<4) << 32, low: 0)
        case 16 where number(0..<8) == 0 && number(8..<12) == 0xFFFF:
            self.init(isIPv4: true, high: number(12..<16) << 32, low: 0)
        case 16: self.init(isIPv4: false, high: number(0..<8), low: number(8..<16))
        default: return nil
        }
    }

    /// Reads a numeric address without brackets and without a zone; nil for any other text.
    package init?(_ text: String) {
        guard let address = SocketAddress(numeric: text, port: 0) else { return nil }
        self.init(address)
    }

    init(isIPv4: Bool, high: UInt64, low: UInt64) {
        self.isIPv4 = isIPv4
        self.high = high
        self.low = low
    }

    package var description: String {
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> (56 - $0 % 8 * 8)) }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = inet_ntop(isIPv4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// A network: all addresses with the same prefix.
package struct IPNetwork: Hashable, Sendable {
    private let isIPv4: Bool
    private let high: UInt64
    private let low: UInt64
    private let highMask: UInt64
    private let lowMask: UInt64

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
        highMask = Self.mask(length)
        lowMask = Self.mask(length - 64)
        high = address.high & highMask
        low = address.low & lowMask
    }

    package func contains(_ address: IPAddress) -> Bool {
        address.isIPv4 == isIPv4 && address.high & highMask == high && address.low & lowMask == low
    }

    private static func mask(_ length: Int) -> UInt64 {
        length <= 0 ? 0 : length >= 64 ? .max : .max << UInt64(64 - length)
    }
}
