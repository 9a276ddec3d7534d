package import CLinux
import Glibc
import Reactor

/// A fresh folder that is removed with its contents when its last user is deallocated.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// Makes a folder. Mode 0711 lets another user pass through: PostgreSQL's has to where the tests run as
    /// root.
    package init(mode: mode_t = 0o711) {
        var template = Array("/tmp/letsswitch-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("there is no room in /tmp: \(errno)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        chmod(path, mode)
    }

    deinit { Self.remove(path) }

    /// Removes a folder, by a process that outlives the tests if necessary.
    package static func remove(_ path: String) {
        _ = try? ChildProcess(.init("/bin/rm", ["-rf", "--", path]))
    }

    /// Writes a file that only its owner can read, and returns its path.
    package func file(_ name: String, _ text: String) throws -> String {
        let file = "\(path)/\(name)"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw TestError("\(file): \(errno)") }
        defer { close(descriptor) }
        guard write(descriptor, text, text.utf8.count) == text.utf8.count else {
            throw TestError("\(file): \(errno)")
        }
        return file
    }
}
