import Codecs

/// The characters of RFC 9110 and RFC 3986, by the names in their grammars.
extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let hash: UInt8 = 0x23
    static let percent: UInt8 = 0x25
    static let asterisk: UInt8 = 0x2A
    static let comma: UInt8 = 0x2C
    static let slash: UInt8 = 0x2F
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let equals: UInt8 = 0x3D
    static let questionMark: UInt8 = 0x3F
    static let leftBracket: UInt8 = 0x5B
    static let backslash: UInt8 = 0x5C
    static let rightBracket: UInt8 = 0x5D

    var isDigit: Bool { self &- 0x30 < 10 }
    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
    var isVisible: Bool { self > 0x20 && self < 0x7F }
    var isControl: Bool { self < 0x20 || self == 0x7F }
    /// Whether it is white space inside of a line (OWS).
    var isBlank: Bool { self == .space || self == .tab }
    var lowerCased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    /// Whether the character is a `tchar`.
    var isTokenCharacter: Bool {
        if isDigit || isLetter { return true }
        switch self {
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: return true
        default: return false
        }
    }

    /// Whether the character is a `pchar` other than an escape, or `/`.
    var isPathCharacter: Bool {
        if isUnreserved { return true }
        switch self {
        case 0x21, 0x24, 0x26...0x2C, 0x2F, 0x3A, 0x3B, 0x3D, 0x40: return true
        default: return false
        }
    }

    /// Whether an escape of the character gives a path a second spelling (RFC 3986 §2.3, §6.2.2.2), or hides
    /// a separator or another escape from a program that does not decode as often as the next one.
    var isAmbiguousEscape: Bool { isUnreserved || self == .slash || self == .percent }
}

extension ArraySlice<UInt8> {
    /// Returns the bytes without spaces and tabs at both ends (OWS).
    func trimmingWhiteSpace() -> ArraySlice<UInt8> {
        var slice = self
        while let byte = slice.first, byte.isBlank { slice.removeFirst() }
        while let byte = slice.last, byte.isBlank { slice.removeLast() }
        return slice
    }
}

extension String {
    /// Whether both texts are equal but for the case of ASCII letters.
    func equalsIgnoringCase(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let left = utf8.span
        let right = other.utf8.span
        for index in left.indices where left[index].lowerCased != right[index].lowerCased { return false }
        return true
    }
}
