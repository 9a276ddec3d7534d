/// Comma-separated lists in header fields (RFC 9110 §5.6.1).
enum FieldList {
    /// Returns the elements of all fields, without white space around them and without empty ones.
    static func elements(_ values: [String]) -> [String] {
        var elements: [String] = []
        for value in values {
            for part in value.split(separator: ",") {
                let start = part.drop { $0 == " " || $0 == "\t" }
                guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { continue }
                elements.append(String(start[...end]))
            }
        }
        return elements
    }

    /// Whether one element is `word`, which has small letters only. Only ASCII letters are compared without
    /// case: other letters may have the small form of an ASCII letter.
    static func contains(_ word: String, in values: [String]) -> Bool {
        elements(values).contains { element in
            element.utf8.elementsEqual(word.utf8) { $0 &- 0x41 < 26 ? $0 | 0x20 == $1 : $0 == $1 }
        }
    }
}
