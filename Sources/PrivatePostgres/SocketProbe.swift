import CLinux
import Glibc
import Reactor

/// A probe that finds the process that listens at a Unix socket.
enum SocketProbe {
    /// Returns the process that listens at the path; nil if none does. It makes a connection, and closes it
    /// at once.
    package static func listener(at path: String) -> pid_t? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        guard
            let raw = try? system(
                "socket", { socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0) })
        else { return nil }
        let descriptor = OwnedDescriptor(adopting: raw)
        let connected = withUnsafePointer(to: &address) { pointer in
            // The kernel reads the size of a sockaddr_un, and the pointer has that many bytes.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else { return nil }
        // The three numbers are a struct ucred: pid, uid, gid.
        var credentials: [Int32] = [0, 0, 0]
        var length = socklen_t(12)
        guard getsockopt(descriptor.raw, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
            return nil
        }
        return credentials[0]
    }
}
