import CLinux
import Glibc
import Reactor

/// A fresh folder that goes away with its last user, and all that is in it.
final class TemporaryFolder: Sendable {
    let path: String

    /// Mode 0711 lets another user pass through, as PostgreSQL's has to where the tests run as root.
    init(mode: mode_t = 0o711) {
        var template = Array("/tmp/letsswitch-tests-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        path = made ?? "/nonexistent"
        chmod(path, mode)
    }

    deinit { Self.remove(path) }

    static func remove(_ path: String) {
        // It does its work by itself, also when the tests are over before.
        _ = try? ChildProcess(.init("/bin/rm", ["-rf", "--", path]))
    }
}
