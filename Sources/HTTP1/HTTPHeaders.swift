/// The fields of a head, in order. Names are compared without regard to case.
package struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    package private(set) var fields: [HTTPField] = []

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }

    package var count: Int { fields.count }

    /// The bytes of memory that the fields take, nearly.
    var heldBytes: Int {
        fields.reduce(0) { $0 + 64 + $1.name.utf8.count + $1.value.utf8.count }
    }

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

    /// Returns the credentials of the `Authorization` fields of a scheme, whose case does not matter (RFC
    /// 9110 §11.6.2). Credentials of another scheme are for a program in front of the server, and are left
    /// out; a field without a scheme has the empty text.
    package func authorizations(_ scheme: String) -> [String] {
        all("authorization").compactMap { value in
            let name = value.prefix { $0 != " " }
            let credentials = value[name.endIndex...].drop { $0 == " " }
            if String(name).equalsIgnoringCase(scheme) { return String(credentials) }
            return name.isEmpty || credentials.isEmpty ? "" : nil
        }
    }

    /// Returns the elements of a comma list, over all fields of this name, in lower case and without empty
    /// ones.
    package func tokens(_ name: String) -> [String] {
        var tokens: [String] = []
        forEachElement(of: name) { element in
            let token = [UInt8](capacity: element.count) { token in
                for index in element.indices { token.append(element[index].lowerCased) }
            }
            tokens.append(String(decoding: token, as: UTF8.self))
        }
        return tokens
    }

    /// Whether a comma list has this element, in any case. `token` has small letters only.
    func hasToken(_ token: String, in name: String) -> Bool {
        var isFound = false
        forEachElement(of: name) { element in
            let token = token.utf8.span
            guard !isFound, element.count == token.count else { return }
            isFound = token.indices.allSatisfy { element[$0].lowerCased == token[$0] }
        }
        return isFound
    }

    /// Calls the body with each element of a comma list (RFC 9110 §5.6.1), over all fields of this name,
    /// without white space around it and without empty ones.
    private func forEachElement(of name: String, _ body: (Span<UInt8>) -> Void) {
        for field in fields where field.name.equalsIgnoringCase(name) {
            let bytes = field.value.utf8.span
            var start = 0
            for end in 0...bytes.count where end == bytes.count || bytes[end] == .comma {
                var (first, last) = (start, end)
                while first < last, bytes[first].isBlank { first += 1 }
                while first < last, bytes[last - 1].isBlank { last -= 1 }
                if first < last { body(bytes.extracting(first..<last)) }
                start = end + 1
            }
        }
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
