/// `host [":" port]`. Stricter than RFC 3986: names have letters, digits and `-._~` only, and there is no
/// user.
enum Authority {
    static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        if rest.first == .leftBracket {
            guard let end = rest.firstIndex(of: .rightBracket) else { return false }
            let address = rest[(rest.startIndex + 1)..<end]
            guard address.count >= 2, address.contains(.colon),
                address.allSatisfy({ $0.hexValue != nil || $0 == .colon || $0 == 0x2E })
            else { return false }
            rest = rest[(end + 1)...]
        } else {
            let name = rest.prefix(while: \.isUnreserved)
            guard !name.isEmpty else { return false }
            rest = rest[name.endIndex...]
        }
        guard let colon = rest.popFirst() else { return true }
        return colon == .colon && isPort(rest)
    }

    /// `*DIGIT`, up to 65535; an empty port is the default one.
    private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count <= 5, bytes.allSatisfy(\.isDigit) else { return false }
        return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 65_535
    }
}
