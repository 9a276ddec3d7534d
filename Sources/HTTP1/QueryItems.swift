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
        let bytes = query.utf8.span
        var start = 0
        for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: "&") {
            if start < end { items.append(try Self.item(bytes.extracting(start..<end))) }
            start = end + 1
        }
    }

    /// Reads a query; with `orNone` one that cannot be read counts as none.
    package init(_ query: String?, orNone: Bool) throws(PercentCoding.Failure) {
        do throws(PercentCoding.Failure) {
            try self.init(query)
        } catch {
            guard orNone else { throw error }
            try self.init(nil)
        }
    }

    private static func item(_ part: Span<UInt8>) throws(PercentCoding.Failure) -> Item {
        let nameEnd = part.indices.first { part[$0] == UInt8(ascii: "=") } ?? part.count
        return Item(
            name: try PercentCoding.decode(part.extracting(first: nameEnd), plusIsSpace: true),
            value: try PercentCoding.decode(part.extracting(droppingFirst: nameEnd + 1), plusIsSpace: true))
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
