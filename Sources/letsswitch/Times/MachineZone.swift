import Glibc

/// The time zone of this machine, by its IANA name.
enum MachineZone {
    private static let folder = "zoneinfo/"
    private static let localTime = "/etc/localtime"
    /// The number of links that are followed, one after the other.
    private static let mostLinks = 8

    /// The IANA name of the zone; nil: none could be found. As in the C library, the variable goes before the
    /// file.
    static var name: String? { name(variable: Environment["TZ"], link: target) }

    /// Returns the name by the value of TZ and the links of the machine: `link` returns the target of one.
    static func name(variable: String?, link: (String) -> String?) -> String? {
        let variable = variable ?? localTime
        if variable.isEmpty { return "UTC" }
        var text = variable.first == ":" ? String(variable.dropFirst()) : variable
        // A path outside the folder of zones is a link to a file in it, such as /etc/localtime.
        for _ in 0..<mostLinks where text.hasPrefix("/") && !text.contains(folder) {
            guard let target = link(text) else { return nil }
            text = target
        }
        return name(in: text)
    }

    /// Returns the name of a zone in a text, which is the name itself or a path to its file. The server says
    /// whether there is such a zone.
    private static func name(in text: String) -> String? {
        var name = text[...]
        if name.hasPrefix("/") || name.hasPrefix(".") {
            guard let start = text.indices.last(where: { text[$0...].hasPrefix(folder) }) else { return nil }
            name = text[start...].dropFirst(folder.count)
        }
        for copy in ["posix/", "right/"] where name.hasPrefix(copy) { name = name.dropFirst(copy.count) }
        return hasNameBytes(name) && name.first?.isLetter == true ? String(name) : nil
    }

    /// Whether a text has no bytes but those of the names of zones.
    static func hasNameBytes(_ text: some StringProtocol) -> Bool {
        text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/_+-".contains($0)) }
    }

    private static func target(of link: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = readlink(link, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
