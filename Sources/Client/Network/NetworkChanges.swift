/// A reader of the kernel's messages about links, addresses and routes (rtnetlink(7)), which tells whether
/// the route to a server may have changed.
///
/// A repeated message, as access points and routers cause all day, is no change.
struct NetworkChanges: Sendable {
    private enum MessageType {
        static let newLink: UInt16 = 16
        static let deletedLink: UInt16 = 17
        static let newAddress: UInt16 = 20
        static let deletedAddress: UInt16 = 21
        static let newRoute: UInt16 = 24
        static let deletedRoute: UInt16 = 25
    }

    private struct Address: Hashable {
        let link: UInt32
        let bytes: [UInt8]
    }

    /// The most known links or addresses; past it all are forgotten, and later ones count as new.
    private static let limit = 4096
    private static let headerBytes = 16
    /// The flags IFF_UP and IFF_RUNNING.
    private static let carrierFlags: UInt32 = 0x41
    private static let loopbackFlag: UInt32 = 0x8
    private static let mainTable: UInt8 = 254
    private static let addressAttribute: UInt16 = 1

    /// The flags of each link, by its index, for its state and its carrier.
    private var links: [UInt32: UInt32] = [:]
    private var addresses: Set<Address> = []

    init() {}

    /// Reads one datagram of one or more messages; returns whether there is a change. Unreadable messages are
    /// skipped.
    mutating func receive(_ bytes: [UInt8]) -> Bool {
        var hasChanged = false
        var rest = bytes[...]
        while rest.count >= Self.headerBytes {
            let length = Int(rest.word(0))
            guard length >= Self.headerBytes, length <= rest.count else { break }
            let message = rest.prefix(length)
            if isChange(message.half(4), message.dropFirst(Self.headerBytes)) { hasChanged = true }
            rest = rest.dropFirst(Self.aligned(length))
        }
        return hasChanged
    }

    private mutating func isChange(_ type: UInt16, _ body: ArraySlice<UInt8>) -> Bool {
        switch type {
        case MessageType.newLink, MessageType.deletedLink:
            body.count >= 16 && linkChange(body, isGone: type == MessageType.deletedLink)
        case MessageType.newAddress, MessageType.deletedAddress:
            body.count >= 8 && addressChange(body, isGone: type == MessageType.deletedAddress)
        case MessageType.newRoute, MessageType.deletedRoute:
            // Only default routes of the main table count, since they lead to all other networks.
            body.count >= 12 && body.byte(1) == 0 && body.byte(4) == Self.mainTable
        default: false
        }
    }

    /// Reads a `struct ifinfomsg`.
    private mutating func linkChange(_ body: ArraySlice<UInt8>, isGone: Bool) -> Bool {
        let (link, flags) = (body.word(4), body.word(8))
        if flags & Self.loopbackFlag != 0 { return false }
        let before = links[link] ?? 0
        let carrier = isGone ? 0 : flags & Self.carrierFlags
        if links.count >= Self.limit { links = [:] }
        links[link] = isGone ? nil : carrier
        return (carrier == Self.carrierFlags) != (before == Self.carrierFlags)
    }

    /// Reads a `struct ifaddrmsg`, and the attribute with the address.
    private mutating func addressChange(_ body: ArraySlice<UInt8>, isGone: Bool) -> Bool {
        // Only addresses of global scope count.
        guard body.byte(3) == 0, let bytes = Self.attribute(Self.addressAttribute, body.dropFirst(8)) else {
            return false
        }
        let address = Address(link: body.word(4), bytes: bytes)
        if isGone {
            addresses.remove(address)
            return true
        }
        if addresses.count >= Self.limit { addresses = [] }
        return addresses.insert(address).inserted
    }

    private static func attribute(_ type: UInt16, _ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = bytes
        while rest.count >= 4 {
            let length = Int(rest.half(0))
            guard length >= 4, length <= rest.count else { return nil }
            if rest.half(2) == type { return Array(rest.prefix(length).dropFirst(4)) }
            rest = rest.dropFirst(aligned(length))
        }
        return nil
    }

    private static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }
}

extension ArraySlice<UInt8> {
    fileprivate func byte(_ offset: Int) -> UInt8 { self[startIndex + offset] }

    /// Returns two bytes as an integer in the machine's order: little-endian on each Linux that Swift
    /// supports.
    fileprivate func half(_ offset: Int) -> UInt16 { UInt16(byte(offset)) | UInt16(byte(offset + 1)) << 8 }

    fileprivate func word(_ offset: Int) -> UInt32 {
        UInt32(half(offset)) | UInt32(half(offset + 2)) << 16
    }
}
