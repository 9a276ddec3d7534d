import CLinux
import Glibc
import Reactor

/// A probe that finds the process that listens at a Unix socket.
enum SocketProbe {
    /// Returns the process that listens at the path; nil if none does. It makes a connection, and closes it
    /// at once.
    package static func listener(at path: String) -> pid_t? {
        guard let address = SocketAddress(unix: "unix:\(path)"),
            let raw = try? system(
                "socket", { socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0) })
        else { return nil }
        let descriptor = OwnedDescriptor(adopting: raw)
        guard address.withSockaddr({ connect(raw, $0, $1) }) == 0 else { return nil }
        // The three numbers are a struct ucred: pid, uid, gid.
        var credentials: [Int32] = [0, 0, 0]
        var length = socklen_t(12)
        guard getsockopt(descriptor.raw, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
            return nil
        }
        return credentials[0]
    }
}
