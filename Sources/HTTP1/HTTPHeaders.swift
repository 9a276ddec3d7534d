/// The fields of a head, in order. Names are compared without regard to case.
package struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    package private(set) var fields: [HTTPField] = []

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }

    package var count: Int { fields.count }

    /// Returns the value of the first field of this name.
    package func first(_ name: String) -> String? {
        fields.first { $0.name.equalsIgnoringCase(name) }?.value
    }

    /// Returns the values of all fields of this name, in order.
    package func all(_ name: String) -> [String] {
        var values: [String] = []
        for field in fields where field.name.equalsIgnoringCase(name) { values.append(field.value) }
        return values
    }

    package func contains(_ name: String) -> Bool {
        fields.contains { $0.name.equalsIgnoringCase(name) }
    }

    /// Returns the elements of a comma list, over all fields of this name, in lower case and without empty
    /// ones.
    package func tokens(_ name: String) -> [String] {
        var tokens: [String] = []
        for field in fields where field.name.equalsIgnoringCase(name) {
            for element in field.value.utf8.split(separator: UInt8.comma) {
                let token = ArraySlice(Array(element)).trimmingWhiteSpace()
                if !token.isEmpty { tokens.append(String(decoding: token.map(\.lowerCased), as: UTF8.self)) }
            }
        }
        return tokens
    }

    package mutating func append(_ name: String, _ value: String) {
        fields.append(HTTPField(name: name, value: value))
    }

    mutating func append(_ field: HTTPField) {
        fields.append(field)
    }

    /// Replaces every field of this name by one.
    package mutating func set(_ name: String, _ value: String) {
        remove(name)
        append(name, value)
    }

    package mutating func remove(_ name: String) {
        fields.removeAll { $0.name.equalsIgnoringCase(name) }
    }
}
