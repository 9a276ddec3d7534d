import Glibc
import Reactor

extension SettingReader {
    /// Reads the address to listen at: as `host` does, or `unix:` and the path of a socket.
    func listeningHost(_ setting: Setting) throws(ConfigurationError) -> String? {
        guard let text = values[setting]?.text, text.hasPrefix("unix:") else { return try host(setting) }
        guard text.hasPrefix("unix:/"), !text.hasSuffix("/"), SocketAddress(unix: text) != nil,
            Self.isOneLine(text)
        else {
            throw invalid(
                setting, "is no socket: use unix: and an absolute path of at most 107 bytes")
        }
        return text
    }

    /// Reads the permissions of a file in octal.
    func fileMode(_ setting: Setting) throws(ConfigurationError) -> UInt32 {
        guard let text = values[setting]?.text else { return ServerConfiguration.standard.socketMode }
        guard text.utf8.allSatisfy({ (0x30...0x37).contains($0) }), let mode = UInt32(text, radix: 8),
            mode <= 0o777
        else { throw invalid(setting, "is no mode of a file: use octal digits, such as 0660") }
        return mode
    }

    /// Reads a group of the system, by its name or its number.
    func group(_ setting: Setting) throws(ConfigurationError) -> UInt32? {
        guard let text = values[setting]?.text else { return nil }
        if let number = UInt32(text), number < .max { return number }
        let size = 65_536
        var (entry, buffer) = (GroupEntry(), [CChar](repeating: 0, count: size))
        var found: UnsafeMutablePointer<GroupEntry>?
        guard getgrnam_r(text, &entry, &buffer, size, &found) == 0, found != nil else {
            throw invalid(setting, "is no group of this system")
        }
        return entry.gr_gid
    }
}

/// An entry of the system's table of groups (getgrnam(3)).
private typealias GroupEntry = Glibc.group
