import Glibc

/// The process at the other end of a connection on loopback, by the tables of the kernel.
enum ConnectionOwner {
    /// The most descriptors of a process that are looked at.
    private static let descriptors = 4096

    /// Returns the one of the processes that has connected from one port to the other.
    static func find(among processes: [pid_t], from client: UInt16, to server: UInt16) -> pid_t? {
        guard let socket = socket(from: client, to: server) else { return nil }
        return processes.first { process in
            var buffer = [CChar](repeating: 0, count: 64)
            for number in 0..<descriptors {
                let count = readlink("/proc/\(process)/fd/\(number)", &buffer, buffer.count)
                if count > 0, buffer.prefix(count).elementsEqual(socket) { return true }
            }
            return false
        }
    }

    /// Returns the kernel's name of the socket, such as `socket:[4711]`.
    private static func socket(from client: UInt16, to server: UInt16) -> [CChar]? {
        guard let table = fopen("/proc/net/tcp", "re") else { return nil }
        defer { fclose(table) }
        let ends = "0100007F:\(hexadecimal(client)) 0100007F:\(hexadecimal(server)) "
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, CInt(line.count), table) != nil {
            guard strstr(line, ends) != nil else { continue }
            let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
            return fields.count > 9 ? Array("socket:[\(fields[9])]".utf8CString.dropLast()) : nil
        }
        return nil
    }

    private static func hexadecimal(_ port: UInt16) -> String {
        let digits = String(port, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
