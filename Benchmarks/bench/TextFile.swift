import CLinux
import Glibc
import Reactor

/// Reads a small file as a whole.
enum TextFile {
    static func read(_ path: String) throws(BenchError) -> String {
        do throws(SystemError) {
            let descriptor = OwnedDescriptor(
                adopting: try system("open") { open(path, O_RDONLY | O_CLOEXEC) })
            var bytes: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 65_536)
            let raw = descriptor.raw
            while true {
                let count = try system("read") {
                    part.withUnsafeMutableBytes { CInt(Glibc.read(raw, $0.baseAddress, $0.count)) }
                }
                if count == 0 { return String(decoding: bytes, as: UTF8.self) }
                bytes += part[..<Int(count)]
            }
        } catch {
            throw .failed("\(path) cannot be read: \(error).")
        }
    }
}
