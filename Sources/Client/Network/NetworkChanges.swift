/// What the kernel tells of links, addresses and routes (rtnetlink(7)): bytes in, and whether the way to a
/// server may be another one now.
///
/// Told again what is known already, as an access point or a router does all day, it says no.
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

    /// More is forgotten, and then told as new.
    private static let limit = 4096
    private static let headerBytes = 16
    /// IFF_UP and IFF_RUNNING.
    private static let carrierFlags: UInt32 = 0x41
    private static let loopbackFlag: UInt32 = 0x8
    private static let mainTable: UInt8 = 254
    private static let addressAttribute: UInt16 = 1

    /// The flags of each link, by its index, that tell whether it is up and has a carrier.
    private var links: [UInt32: UInt32] = [:]
    private var addresses: Set<Address> = []

    init() {}

    /// One datagram, of one message or several. What cannot be read is passed over.
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
            // The default routes of the main table: where everything goes that is not near.
            body.count >= 12 && body.byte(1) == 0 && body.byte(4) == Self.mainTable
        default: false
        }
    }

    /// struct ifinfomsg
    private mutating func linkChange(_ body: ArraySlice<UInt8>, isGone: Bool) -> Bool {
        let (link, flags) = (body.word(4), body.word(8))
        if flags & Self.loopbackFlag != 0 { return false }
        let before = links[link] ?? 0
        let carrier = isGone ? 0 : flags & Self.carrierFlags
        if links.count >= Self.limit { links = [:] }
        links[link] = isGone ? nil : carrier
        return (carrier == Self.carrierFlags) != (before == Self.carrierFlags)
    }

    /// struct ifaddrmsg, and the attribute with the address
    private mutating func addressChange(_ body: ArraySlice<UInt8>, isGone: Bool) -> Bool {
        // Only those by which one gets further than this link.
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

    /// In the machine's order, which on Linux is the little end first wherever Swift runs.
    fileprivate func half(_ offset: Int) -> UInt16 { UInt16(byte(offset)) | UInt16(byte(offset + 1)) << 8 }

    fileprivate func word(_ offset: Int) -> UInt32 {
        UInt32(half(offset)) | UInt32(half(offset + 2)) << 16
    }
}
