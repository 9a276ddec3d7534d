/// The defence against SSRF: the addresses that may be connected to on behalf of users, who must not reach
/// the private network.
package enum AddressPolicy {
    /// Whether the address, 4 or 16 bytes in network order, is one of the public Internet (IANA's registries
    /// of special-purpose addresses, RFC 6890). Anything else is not.
    package static func isPublic(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: isPublicIPv4(bytes)
        case 16: isPublicIPv6(bytes)
        default: false
        }
    }

    private static let reservedIPv4: [(bytes: [UInt8], bits: Int)] = [
        ([0, 0, 0, 0], 8),  // This network.
        ([10, 0, 0, 0], 8), ([172, 16, 0, 0], 12), ([192, 168, 0, 0], 16),  // Private: RFC 1918.
        ([100, 64, 0, 0], 10),  // Shared: RFC 6598.
        ([127, 0, 0, 0], 8),  // Loopback.
        ([169, 254, 0, 0], 16),  // Link-local.
        ([192, 0, 0, 0], 24), ([192, 0, 2, 0], 24), ([198, 51, 100, 0], 24), ([203, 0, 113, 0], 24),
        ([192, 88, 99, 0], 24),  // Relays of 6to4, which are gone.
        ([198, 18, 0, 0], 15),  // Benchmarks.
        ([224, 0, 0, 0], 4), ([240, 0, 0, 0], 4),  // Multicast; reserved, and broadcast.
    ]

    private static func isPublicIPv4(_ bytes: [UInt8]) -> Bool {
        !reservedIPv4.contains { has(bytes, prefix: $0.bytes, bits: $0.bits) }
    }

    private static func isPublicIPv6(_ bytes: [UInt8]) -> Bool {
        // Translated addresses reach the host of the IPv4 address in them (RFC 6052, RFC 8215).
        if has(bytes, prefix: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], bits: 96) {
            return isPublicIPv4(Array(bytes[12...]))
        }
        // 6to4 (RFC 3056).
        if has(bytes, prefix: [0x20, 0x02], bits: 16) { return isPublicIPv4(Array(bytes[2..<6])) }
        // Teredo, documentation and others of IANA's block for protocols.
        if has(bytes, prefix: [0x20, 0x01, 0], bits: 23) { return false }
        if has(bytes, prefix: [0x20, 0x01, 0x0D, 0xB8], bits: 32) { return false }
        if has(bytes, prefix: [0x3F, 0xFF, 0], bits: 20) { return false }
        // 2000::/3 is the allocated global unicast space. Loopback, mapped, unique local, link-local and
        // multicast addresses are outside it.
        return has(bytes, prefix: [0x20], bits: 3)
    }

    private static func has(_ bytes: [UInt8], prefix: [UInt8], bits: Int) -> Bool {
        for bit in 0..<bits {
            let mask: UInt8 = 0x80 >> (bit % 8)
            if (bytes[bit / 8] ^ prefix[bit / 8]) & mask != 0 { return false }
        }
        return true
    }
}
