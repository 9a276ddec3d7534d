import CLinux
import Glibc

/// A fresh folder that goes away with its last user, and all that is in it.
final class TemporaryFolder: Sendable {
    let path: String

    /// Mode 0711 lets another user pass through, as PostgreSQL's has to where the tests run as root.
    init(mode: mode_t = 0o711) {
        var template = Array("/tmp/letsswitch-tests-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            mkdtemp(buffer.baseAddress).map { String(cString: $0) }
        }
        path = made ?? "/nonexistent"
        chmod(path, mode)
    }

    deinit { Self.remove(path) }

    static func remove(_ path: String) {
        _ = nftw(path, { path, _, _, _ in path.map { Glibc.remove($0) } ?? 0 }, 16, FTW_DEPTH | FTW_PHYS)
    }
}
