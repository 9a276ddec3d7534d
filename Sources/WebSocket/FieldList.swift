/// Comma-separated lists in header fields (RFC 9110 §5.6.1).
enum FieldList {
    /// Returns the elements of all fields, without white space around them and without empty ones.
    static func elements(_ values: [String]) -> [String] {
        values.flatMap { parts(of: $0).map { String(decoding: $0, as: UTF8.self) } }
    }

    private static func parts(of value: String) -> [ArraySlice<UInt8>] {
        Array(value.utf8).split(separator: UInt8(ascii: ",")).compactMap { part in
            let start = part.drop(while: isWhiteSpace)
            return start.lastIndex { !isWhiteSpace($0) }.map { start[...$0] }
        }
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether one element is `word`, which has small letters only. Only ASCII letters are compared without
    /// case: other letters may have the small form of an ASCII letter.
    static func contains(_ word: String, in values: [String]) -> Bool {
        values.contains { value in
            parts(of: value).contains { element in
                element.elementsEqual(word.utf8) { $0 &- 0x41 < 26 ? $0 | 0x20 == $1 : $0 == $1 }
            }
        }
    }
}
