import CLinux
import Glibc

/// A descriptor with exactly one owner, closed when that owner is released.
package struct OwnedDescriptor: ~Copyable, Sendable {
    package let raw: CInt

    package init(adopting raw: CInt) { self.raw = raw }

    /// Returns the descriptor to another owner, which has to close it.
    package consuming func release() -> CInt {
        let raw = raw
        discard self
        return raw
    }

    deinit { _ = Glibc.close(raw) }
}

/// Sets an option of a socket to a number. Returns -1 and sets `errno` on failure.
@discardableResult
func setOption(_ level: CInt, _ option: CInt, to value: CInt, of socket: CInt) -> CInt {
    var value = value
    return setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
}
