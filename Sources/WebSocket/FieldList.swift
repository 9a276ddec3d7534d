/// Comma lists in header fields (RFC 9110 §5.6.1).
enum FieldList {
    /// The elements over all fields, without white space around them and without empty ones.
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

    /// Whether one of the elements is this word of small letters, in any case of ASCII: elsewhere there are
    /// letters whose small form is that of another.
    static func contains(_ word: String, in values: [String]) -> Bool {
        elements(values).contains { element in
            element.utf8.elementsEqual(word.utf8) { $0 &- 0x41 < 26 ? $0 | 0x20 == $1 : $0 == $1 }
        }
    }
}
