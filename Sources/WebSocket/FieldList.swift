/// Comma-separated lists in header fields (RFC 9110 §5.6.1).
enum FieldList {
    /// Returns the elements of all fields, without white space around them and without empty ones.
    static func elements(_ values: [String]) -> [String] {
        var elements: [String] = []
        forEach(values) { element in
            // A text is cut at ASCII characters only, so that each part is UTF-8.
            if let text = try? UTF8Span(validating: element) { elements.append(String(copying: text)) }
            return true
        }
        return elements
    }

    /// Whether one element is `word`, which has small letters only. Only ASCII letters are compared without
    /// case: other letters may have the small form of an ASCII letter.
    static func contains(_ word: String, in values: [String]) -> Bool {
        var isFound = false
        forEach(values) { element in
            let word = word.utf8.span
            isFound = element.count == word.count
            for index in word.indices where isFound {
                let byte = element[index]
                isFound = (byte &- 0x41 < 26 ? byte | 0x20 : byte) == word[index]
            }
            return !isFound
        }
        return isFound
    }

    /// Calls the body with the bytes of each element until it returns false. Nothing is copied, however many
    /// elements there are.
    private static func forEach(_ values: [String], _ body: (Span<UInt8>) -> Bool) {
        for value in values {
            let bytes = value.utf8.span
            var next = 0
            while next < bytes.count {
                var (start, end) = (next, next)
                while end < bytes.count, bytes[end] != UInt8(ascii: ",") { end += 1 }
                next = end + 1
                while start < end, isWhiteSpace(bytes[start]) { start += 1 }
                while start < end, isWhiteSpace(bytes[end - 1]) { end -= 1 }
                if start < end, !body(bytes.extracting(start..<end)) { return }
            }
        }
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
