import CLinux
import Glibc

/// A descriptor with exactly one owner, closed when that owner goes away.
package struct OwnedDescriptor: ~Copyable, Sendable {
    package let raw: CInt

    package init(adopting raw: CInt) { self.raw = raw }

    /// Gives the descriptor to another owner, who has to close it.
    package consuming func release() -> CInt {
        let raw = raw
        discard self
        return raw
    }

    deinit { _ = Glibc.close(raw) }
}
