/// The grammar `*( ";" token [ "=" ( token / quoted-string ) ] )`, without the bad white space that RFC 9112
/// §7.1.1 permits to old senders.
enum ChunkExtensions {
    static func areValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == .semicolon, takeToken(&rest) else { return false }
            guard rest.first == .equals else { continue }
            rest.removeFirst()
            guard rest.first == .quote ? takeQuoted(&rest) : takeToken(&rest) else { return false }
        }
        return true
    }

    private static func takeToken(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let token = rest.prefix(while: \.isTokenCharacter)
        rest = rest[token.endIndex...]
        return !token.isEmpty
    }

    private static func takeQuoted(_ rest: inout ArraySlice<UInt8>) -> Bool {
        rest.removeFirst()
        while let byte = rest.popFirst() {
            if byte == .quote { return true }
            if byte == .backslash, rest.popFirst() == nil { return false }
        }
        return false
    }
}
