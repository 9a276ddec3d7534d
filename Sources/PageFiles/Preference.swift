/// The preference of a request for one of the things that a field lists, such as a media type or a coding
/// (RFC 9110 §12.4.2).
package enum Preference {
    /// The field does not name it.
    case unnamed
    case wanted
    /// The field names it with the weight zero.
    case refused

    /// Reads the preference from the elements of the field, in lower case.
    package init(of name: String, in elements: [String]) {
        self = .unnamed
        for element in elements {
            let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard parts.first == name else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
            self = weight.map(Self.isZero) ?? false ? .refused : .wanted
        }
    }

    private static func isZero(_ weight: Substring) -> Bool {
        weight.hasPrefix("0") && weight.allSatisfy { $0 == "0" || $0 == "." }
    }
}
