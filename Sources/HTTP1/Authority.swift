import Codecs

/// The grammar `host [":" port]`, stricter than RFC 3986: names have letters, digits and `-._~` only, and
/// there is no user.
enum Authority {
    static func isValid(_ bytes: Span<UInt8>) -> Bool {
        var end = 0
        if !bytes.isEmpty && bytes[0] == .leftBracket {
            var hasColon = false
            end = 1
            while end < bytes.count && bytes[end] != .rightBracket {
                let byte = bytes[end]
                if byte == .colon {
                    hasColon = true
                } else if byte.hexValue == nil && byte != 0x2E {
                    return false
                }
                end += 1
            }
            guard end >= 3, end < bytes.count, hasColon else { return false }
            end += 1
        } else {
            while end < bytes.count && bytes[end].isUnreserved { end += 1 }
            if end == 0 { return false }
        }
        return end == bytes.count || bytes[end] == .colon && isPort(bytes, from: end + 1)
    }

    /// Whether the bytes from `start` on are `*DIGIT`, up to 65535; an empty port is the default one.
    private static func isPort(_ bytes: Span<UInt8>, from start: Int) -> Bool {
        guard bytes.count - start <= 5 else { return false }
        var port = 0
        for index in start..<bytes.count {
            guard bytes[index].isDigit else { return false }
            port = port * 10 + Int(bytes[index] - 0x30)
        }
        return port <= 65_535
    }
}
