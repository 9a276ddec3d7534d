package import CLinux
import Glibc

/// An IPv4, IPv6 or Unix address of a socket.
package struct SocketAddress: Sendable, CustomStringConvertible {
    private var storage = sockaddr_storage()
    private var length: socklen_t = 0

    /// Reads a numeric IPv4 or IPv6 address; nil for any other text.
    package init?(numeric host: String, port: UInt16) {
        var v4 = sockaddr_in()
        var v6 = sockaddr_in6()
        if inet_pton(AF_INET, host, &v4.sin_addr) == 1 {
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = port.bigEndian
            self.init(copying: &v4, length: MemoryLayout<sockaddr_in>.size)
        } else if inet_pton(AF_INET6, host, &v6.sin6_addr) == 1 {
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = port.bigEndian
            self.init(copying: &v6, length: MemoryLayout<sockaddr_in6>.size)
        } else {
            return nil
        }
    }

    /// Reads the address of a Unix socket, `unix:` and its path; nil for any other text, and for a path of
    /// more than 107 bytes.
    package init?(unix text: String) {
        var address = sockaddr_un()
        let path = text.hasPrefix("unix:") ? Array(text.utf8.dropFirst(5)) : []
        let isShort = path.count < MemoryLayout.size(ofValue: address.sun_path)
        guard !path.isEmpty, isShort, !path.contains(0) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        self.init(copying: &address, length: MemoryLayout<sockaddr_un>.size)
    }

    /// Copies an address of at most the size of `sockaddr_storage`.
    init(copying source: UnsafeRawPointer, length: Int) {
        let length = min(length, MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: .init(start: source, count: length)) }
        self.length = socklen_t(length)
    }

    /// Returns the address of a connected socket's peer; `local` returns the socket's own.
    package static func peer(of descriptor: CInt) -> SocketAddress? { query(descriptor, getpeername) }
    package static func local(of descriptor: CInt) -> SocketAddress? { query(descriptor, getsockname) }

    private static func query(
        _ descriptor: CInt,
        _ call: (CInt, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
    ) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(descriptor, $0, &length) }
        }
        return result == 0 ? SocketAddress(copying: &storage, length: Int(length)) : nil
    }

    package var family: CInt { CInt(storage.ss_family) }

    package var isIPv6: Bool { family == AF_INET6 }

    /// The path of a Unix socket, empty for one without a file; nil for any other address.
    package var path: String? {
        guard family == AF_UNIX else { return nil }
        let start = MemoryLayout<sa_family_t>.size
        return withUnsafeBytes(of: storage) { bytes in
            let path = bytes[start..<max(start, min(Int(length), bytes.count))]
            return String(decoding: path.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// Whether it stands for all addresses of the machine.
    package var isWildcard: Bool { !addressBytes.isEmpty && addressBytes.allSatisfy { $0 == 0 } }

    package var port: UInt16 {
        withUnsafeBytes(of: storage) { bytes in
            // Both families have the port in bytes 2 and 3, in network order.
            family == AF_INET || family == AF_INET6 ? UInt16(bytes[2]) << 8 | UInt16(bytes[3]) : 0
        }
    }

    /// The 4 or 16 bytes of the address in network order; empty for a Unix socket.
    package var addressBytes: [UInt8] {
        withUnsafeBytes(of: storage) { bytes in
            switch family {
            case AF_INET: Array(bytes[4..<8])
            case AF_INET6: Array(bytes[8..<24])
            default: []
            }
        }
    }

    /// The numeric address without its port.
    package var host: String {
        let bytes = addressBytes
        return bytes.isEmpty ? "unix" : IPAddress.text(of: bytes)
    }

    package var description: String {
        if let path { return "unix:\(path)" }
        return family == AF_INET6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    package func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
