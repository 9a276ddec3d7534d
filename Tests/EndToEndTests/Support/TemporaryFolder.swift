import Glibc
import Reactor
import TestSupport

/// A fresh folder that goes away with its last user, and all that is in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/letsswitch-end-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestSupportError("mkdtemp: \(errno)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // PostgreSQL's own user has to pass through where the tests run as root.
        chmod(path, 0o711)
    }

    deinit {
        // It does its work by itself, also when the tests are over before.
        _ = try? ChildProcess(.init("/bin/rm", ["-rf", "--", path]))
    }

    /// Writes a file that only we can read, and answers with its path.
    func file(_ name: String, _ text: String) throws -> String {
        let file = "\(path)/\(name)"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw TestSupportError("\(file): \(errno)") }
        defer { close(descriptor) }
        guard write(descriptor, text, text.utf8.count) == text.utf8.count else {
            throw TestSupportError("\(file): \(errno)")
        }
        return file
    }
}
