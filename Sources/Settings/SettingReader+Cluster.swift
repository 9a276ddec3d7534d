import Contract

extension SettingReader {
    /// Reads a port that may be left out.
    func port(_ setting: Setting) throws(ConfigurationError) -> UInt16? {
        if values[setting] == nil { return nil }
        return UInt16(try integer(setting, 0...65_535, or: 0))
    }

    /// Reads a list of hosts without ports that is separated by commas or spaces.
    func hosts(_ setting: Setting) throws(ConfigurationError) -> [String] {
        try list(setting, "no host: use names or addresses without a scheme and a port") { part in
            let isIPv6 = part.filter { $0 == ":" }.count > 1 && !part.hasPrefix("[")
            guard let url = try? WebURL("http://" + (isIPv6 ? "[\(part)]" : part)), url.address.port == nil,
                url.address.path.isEmpty, url.address.query == nil
            else { return nil }
            return url.host
        }
    }

    /// Reads the URL at which other servers reach this one. They sign what they say and do not encrypt it.
    func internalURL(_ setting: Setting) throws(ConfigurationError) -> String? {
        guard let text = try webURL(setting) else { return nil }
        guard let address = try? WebAddress(text), address.scheme == "http", address.path.isEmpty else {
            throw invalid(setting, "cannot be used: write it as http://host:port, without a path")
        }
        return text
    }

    /// Reads the name of this server for the balancer, which stands in URLs.
    func serverName(_ setting: Setting) throws(ConfigurationError) -> String? {
        try text(setting, "is no name of a server: use up to 63 of A-Z a-z 0-9 _ . -") {
            (1...63).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isNameByte)
        }
    }
}
