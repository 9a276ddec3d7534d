import CLinux
import Glibc

/// The file of a Unix socket that a listener has bound, removed when the value is released. A lock on a file
/// beside it, whose name ends in `.lock` and which stays, lets one listener at a time have it.
package struct SocketFile: ~Copyable, Sendable {
    /// The permission to connect.
    package struct Access: Sendable {
        package var mode: UInt32 = 0o660
        /// The group of the file; nil for that of the process.
        package var group: UInt32?

        package init() {}
    }

    private let path: String
    private let lock: FileLock

    /// Binds a socket to the address of a Unix socket. A file that a killed process has left is replaced.
    /// Throws `EADDRINUSE` if a listener has the file, and `ENOTSOCK` if it is a file of another kind.
    init(
        binding raw: CInt, to address: SocketAddress, at path: String, _ access: Access
    ) throws(SystemError) {
        let lock = try Self.lock("\(path).lock")
        try Self.removeStale(address, at: path)
        try system("bind") { address.withSockaddr { bind(raw, $0, $1) } }
        do throws(SystemError) {
            // Connections are refused until the socket listens.
            if let group = access.group { try system("chown") { chown(path, uid_t.max, group) } }
            try system("chmod") { chmod(path, access.mode) }
        } catch {
            unlink(path)
            throw error
        }
        self.path = path
        self.lock = lock
    }

    deinit { unlink(path) }

    private static func lock(_ path: String) throws(SystemError) -> FileLock {
        let raw = try system("open") { open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        do throws(SystemError) {
            return try FileLock(of: OwnedDescriptor(adopting: raw))
        } catch {
            if error.code == EWOULDBLOCK { throw .failed(call: "bind", errno: EADDRINUSE) }
            throw error
        }
    }

    /// Removes a socket's file at which nothing listens.
    private static func removeStale(_ address: SocketAddress, at path: String) throws(SystemError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .failed(call: "bind", errno: ENOTSOCK) }
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let probe = OwnedDescriptor(adopting: try system("socket") { socket(AF_UNIX, kind, 0) })
        let code = address.withSockaddr { connect(probe.raw, $0, $1) } == 0 ? 0 : errno
        switch code {
        case ECONNREFUSED: try system("unlink") { unlink(path) }
        // A listener whose queue is full lets a connection wait.
        case 0, EAGAIN: throw .failed(call: "bind", errno: EADDRINUSE)
        default: throw .failed(call: "connect", errno: code)
        }
    }
}
