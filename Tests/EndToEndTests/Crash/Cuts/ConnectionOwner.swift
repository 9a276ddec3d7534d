import Glibc

/// The process at the other end of a connection on loopback, by the tables of the kernel.
enum ConnectionOwner {
    /// Returns the one of the processes that has connected from one port to the other.
    static func find(among processes: [pid_t], from client: UInt16, to server: UInt16) -> pid_t? {
        guard let inode = inode(from: client, to: server) else { return nil }
        let socket = Array("socket:[\(inode)]".utf8CString.dropLast())
        return processes.first { has($0, socket) }
    }

    private static func has(_ process: pid_t, _ socket: [CChar]) -> Bool {
        guard let folder = opendir("/proc/\(process)/fd") else { return false }
        defer { closedir(folder) }
        var buffer = [CChar](repeating: 0, count: 64)
        while let entry = readdir(folder) {
            let count = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) {
                    readlinkat(dirfd(folder), $0, &buffer, buffer.count)
                }
            }
            if count == socket.count, buffer.prefix(count).elementsEqual(socket) { return true }
        }
        return false
    }

    // The kernel is asked for this one socket (sock_diag(7)). The table of all in /proc/net/tcp takes the
    // longer the more sockets other programs have, and each server waits for it.

    /// The length of a `nlmsghdr`.
    private static let headerBytes = 16
    /// The length of an `inet_diag_req_v2`.
    private static let requestBytes = 56
    /// The place of the inode in an answer: behind the header, in an `inet_diag_msg`.
    private static let inodePlace = headerBytes + 68

    /// Returns the inode of the client's socket.
    private static func inode(from client: UInt16, to server: UInt16) -> UInt32? {
        let descriptor = socket(AF_NETLINK, CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 4)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let request = request(from: client, to: server)
        guard send(descriptor, request, request.count, 0) == request.count else { return nil }
        var answer = [UInt8](repeating: 0, count: 512)
        let count = recv(descriptor, &answer, answer.count, 0)
        // An error has the type 2.
        guard count >= inodePlace + 4, answer[4] == 20 else { return nil }
        return (0..<4).reduce(0) { $0 | UInt32(answer[inodePlace + $1]) << (8 * $1) }
    }

    private static func request(from client: UInt16, to server: UInt16) -> [UInt8] {
        let loopback: [UInt8] = [127, 0, 0, 1] + Array(repeating: 0, count: 12)
        var bytes: [UInt8] = []
        func little(_ value: UInt32) {
            for shift in stride(from: 0, to: 32, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        little(UInt32(headerBytes + requestBytes))
        // SOCK_DIAG_BY_FAMILY, as a request (NLM_F_REQUEST), with no number and no sender.
        little(20 | 1 << 16)
        little(0)
        little(0)
        // AF_INET and IPPROTO_TCP, nothing else, in any state.
        little(2 | 6 << 8)
        little(.max)
        for port in [client, server] { bytes += [UInt8(port >> 8), UInt8(truncatingIfNeeded: port)] }
        bytes += loopback + loopback
        // Any interface, and no cookie.
        little(0)
        little(.max)
        little(.max)
        return bytes
    }
}
