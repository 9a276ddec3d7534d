/// The links of tzdata: names that mean the same time zone. PostgreSQL may know some of them only.
package enum TimeZoneLinks {
    /// The version of tzdata that they are from, such as `2026f`, and the day on which they were taken.
    package static let source: String = {
        lines.first.map { String($0.drop { $0 == "#" || $0 == " " }) } ?? ""
    }()

    /// Returns all names of the zone that has this name. The name that tzdata gives the rules comes first.
    static func names(of name: String) -> [String] {
        let zone = zones[name] ?? name
        return [zone] + (others[zone] ?? [])
    }

    private static let lines = String(decoding: PackageResources.time_zone_links_zi, as: UTF8.self)
        .split(separator: "\n")

    /// The pairs of a zone and one other name of it.
    private static let links: [(zone: String, name: String)] = lines.compactMap { line in
        let words = line.split(separator: " ")
        guard words.count == 3, words[0] == "L" else { return nil }
        return (String(words[1]), String(words[2]))
    }

    private static let zones = Dictionary(links.map { ($0.name, $0.zone) }) { one, _ in one }

    private static let others = Dictionary(grouping: links, by: \.zone).mapValues { $0.map(\.name) }
}
