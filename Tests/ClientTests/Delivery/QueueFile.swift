import Glibc
import Reactor
import TestKit

@testable import Client

/// A folder for a queue's file, which is removed with this value.
final class QueueFile {
    private let temporary = TemporaryFolder(mode: 0o700)
    var folder: String { temporary.path }
    var path: String { "\(folder)/queue" }

    var names: [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    var bytes: [UInt8] {
        get throws {
            let file = try JournalFiles(path: path).open()
            return try JournalFiles(path: path).read(file.raw)
        }
    }

    func write(_ bytes: [UInt8]) throws {
        unlink(path)
        let file = try JournalFiles(path: path).open()
        guard bytes.writeAll(to: file.raw, Disk()) else {
            throw SystemError.failed(call: "write", errno: errno)
        }
    }

    func mode(_ name: String) -> mode_t {
        var status = stat()
        return stat("\(folder)/\(name)", &status) == 0 ? status.st_mode & 0o777 : 0
    }
}

extension OutgoingMessage {
    /// Returns an ale whose messageId is that number.
    static func numbered(_ number: Int, type: String = "ale", bytes: Int = 4) -> OutgoingMessage {
        OutgoingMessage(
            id: "\(number)", type: type,
            text: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: bytes))
    }
}
