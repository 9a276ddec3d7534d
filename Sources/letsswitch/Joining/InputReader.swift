import Contract

/// Translates typed bytes into actions. It remembers a sequence that is cut in two between two reads.
struct InputReader: Sendable {
    enum Action: Hashable, Sendable {
        case cheer
        /// Say that status, or take it back if it is said already.
        case say(MemberStatus)
        case leave
        /// Show the keys, or hide them again.
        case showKeys
    }

    /// The position of the last byte in the input of a terminal (ECMA-48 §5.4, and xterm's bracketed paste).
    private enum Place {
        case keys
        /// After Escape: a key with Alt, or the beginning of a sequence.
        case escape
        /// After Escape O: one more byte follows.
        case single
        /// Within a sequence, with its parameters so far.
        case sequence([UInt8])
        /// Within pasted text; the value counts the bytes so far of the mark that ends it.
        case paste(Int)
    }

    /// The maximum number of bytes in the sequence of a key.
    private static let longestSequence = 32
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private var place = Place.keys
    private var isWithinLine = false

    /// Returns the actions of single keys of a terminal: space or Enter, g, r, q, and ?. Other keys do
    /// nothing, and neither does pasted text.
    mutating func keys(_ bytes: [UInt8]) -> [Action] {
        // A single byte is the Escape key itself. A sequence is written whole, so that only the end of a long
        // read may cut it.
        if bytes == [0x1B] {
            if case .keys = place { return [] }
        }
        return bytes.compactMap { key($0) }
    }

    /// Returns the actions of lines of a pipe: each is an ale, whatever is in it.
    mutating func lines(_ bytes: [UInt8]) -> [Action] {
        guard let last = bytes.last else { return [] }
        isWithinLine = last != UInt8(ascii: "\n")
        return bytes.filter { $0 == UInt8(ascii: "\n") }.map { _ in .cheer }
    }

    /// Returns the actions at the end of a pipe, which also ends the last line.
    mutating func end() -> [Action] {
        defer { isWithinLine = false }
        return isWithinLine ? [.cheer] : []
    }

    private mutating func key(_ byte: UInt8) -> Action? {
        switch place {
        case .keys:
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return .cheer
            case UInt8(ascii: "g"), UInt8(ascii: "G"): return .say(.gettingReady)
            case UInt8(ascii: "r"), UInt8(ascii: "R"): return .say(.ready)
            case UInt8(ascii: "q"), UInt8(ascii: "Q"): return .leave
            case UInt8(ascii: "?"): return .showKeys
            case 0x1B: place = .escape
            default: break
            }
        case .escape:
            switch byte {
            case UInt8(ascii: "["): place = .sequence([])
            case UInt8(ascii: "O"): place = .single
            case 0x1B: break
            default: place = .keys
            }
        case .single: place = .keys
        case .sequence(let parameters): place = Self.place(behind: parameters, byte)
        case .paste(let matched):
            let next = byte == Self.pasteEnd[matched] ? matched + 1 : byte == Self.pasteEnd[0] ? 1 : 0
            place = next == Self.pasteEnd.count ? .keys : .paste(next)
        }
        return nil
    }

    private static func place(behind parameters: [UInt8], _ byte: UInt8) -> Place {
        if (0x40...0x7E).contains(byte) {
            let isPaste = byte == UInt8(ascii: "~") && parameters.elementsEqual("200".utf8)
            return isPaste ? .paste(0) : .keys
        }
        return parameters.count < longestSequence ? .sequence(parameters + [byte]) : .keys
    }
}
