/// A list of hosts: names, each with all names below it, addresses and networks.
package struct HostList: Hashable, Sendable {
    private var hasAll = false
    private var names: [String] = []
    private var networks: [IPNetwork] = []

    /// Creates an empty list.
    package init() {}

    /// Adds an entry: `*` for all hosts, an address, a network such as `10.0.0.0/8`, or a name, with or
    /// without `.` or `*.` before it. Returns false if the text is none of these.
    package mutating func add(_ text: some StringProtocol) -> Bool {
        if text == "*" {
            hasAll = true
            return true
        }
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        if let network = IPNetwork(isBracketed ? String(text.dropFirst().dropLast()) : String(text)) {
            networks.append(network)
            return true
        }
        let name =
            text.hasPrefix("*.") ? text.dropFirst(2) : text.hasPrefix(".") ? text.dropFirst() : text[...]
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte) else { return false }
        names.append(name.lowercased())
        return true
    }

    /// Whether the host, in lower case and without brackets, is on the list.
    package func contains(_ host: String) -> Bool {
        if hasAll { return true }
        if let address = IPAddress(host) { return networks.contains { $0.contains(address) } }
        return names.contains { host == $0 || host.hasSuffix(".\($0)") }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }
}
