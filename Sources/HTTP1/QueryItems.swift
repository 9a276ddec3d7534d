package import Codecs

/// The ordered names and values of `a=b&c`. A name without `=` has the empty value; `+` is a space.
package struct QueryItems: Sendable, Equatable {
    package struct Item: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var items: [Item] = []

    package init(_ query: String?) throws(PercentCoding.Failure) {
        guard let query else { return }
        // By bytes, since to compare the characters of a text takes several times as long.
        var rest = Array(query.utf8)[...]
        while !rest.isEmpty {
            let part = rest.prefix { $0 != UInt8(ascii: "&") }
            rest = rest[part.endIndex...].dropFirst()
            if part.isEmpty { continue }
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            items.append(
                Item(
                    name: try PercentCoding.decode(name, plusIsSpace: true),
                    value: try PercentCoding.decode(part[name.endIndex...].dropFirst(), plusIsSpace: true)))
        }
    }

    package func first(_ name: String) -> String? {
        items.first { $0.name == name }?.value
    }

    package func all(_ name: String) -> [String] {
        var values: [String] = []
        for item in items where item.name == name { values.append(item.value) }
        return values
    }

    /// Returns the query of the items, for a client.
    package static func encode(_ items: [Item]) -> String {
        items.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }
            .joined(separator: "&")
    }
}
