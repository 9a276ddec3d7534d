import CLinux
import Glibc

/// A small text file that is read whole: settings, secrets, a process id.
package enum SmallFile {
    package static let limit = 64 * 1024

    /// Reads the file; throws `EFBIG` if it is larger than the limit.
    package static func read(_ path: String, limit: Int = SmallFile.limit) throws(SystemError) -> String {
        let descriptor = OwnedDescriptor(
            adopting: try system("open") { Glibc.open(path, O_RDONLY | O_CLOEXEC) })
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit {
            let count = try system("read") { CInt(Glibc.read(descriptor.raw, &buffer, buffer.count)) }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<Int(count)]
        }
        throw .failed(call: "read", errno: EFBIG)
    }
}
