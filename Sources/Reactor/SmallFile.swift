import CLinux
import Glibc

/// A small text file that is read whole: settings, secrets, a process id.
package enum SmallFile {
    package static let limit = 64 * 1024

    /// Reads the file; throws `EFBIG` if it is larger than the limit.
    package static func read(_ path: String, limit: Int = SmallFile.limit) throws(SystemError) -> String {
        let descriptor = OwnedDescriptor(
            adopting: try system("open") { Glibc.open(path, O_RDONLY | O_CLOEXEC) })
        return String(decoding: try bytes(of: descriptor.raw, limit: limit), as: UTF8.self)
    }

    /// Reads an open file from where it is; throws `EFBIG` if more than the limit is left of it.
    package static func bytes(of descriptor: CInt, limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count <= limit {
            let count = try system("read") { CInt(Glibc.read(descriptor, &buffer, buffer.count)) }
            if count == 0 { return bytes }
            bytes += buffer[..<Int(count)]
        }
        throw .failed(call: "read", errno: EFBIG)
    }
}

/// Writes a folder to the disk, so that a new name in it is durable.
package func synchronise(folder path: String) throws(SystemError) {
    let folder = OwnedDescriptor(
        adopting: try system("open") { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    try system("fsync") { fsync(folder.raw) }
}
