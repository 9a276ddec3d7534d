/// What was typed, into ales.
enum InputReader {
    enum Action: Hashable, Sendable {
        case cheer
        case leave
    }

    /// Single keys of a terminal: space or Enter, and q. Others are nothing.
    static func keys(_ bytes: [UInt8]) -> [Action] {
        // An arrow or a paste is one read that begins with Escape.
        if bytes.first == 0x1B { return [] }
        return bytes.compactMap { byte in
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"): .cheer
            case UInt8(ascii: "q"), UInt8(ascii: "Q"): .leave
            default: nil
            }
        }
    }

    /// Lines of a pipe: each is an ale, whatever is in it.
    static func lines(_ bytes: [UInt8]) -> [Action] {
        bytes.filter { $0 == UInt8(ascii: "\n") }.map { _ in .cheer }
    }
}
