import CLinux
import Glibc

/// An exclusive lock of an open file (flock(2)), held until the value is released.
///
/// Closing the file is not enough to end the lock: a process that is being started has a copy of the
/// descriptor until its exec.
package struct FileLock: ~Copyable, Sendable {
    private let descriptor: OwnedDescriptor

    package var raw: CInt { descriptor.raw }

    /// Takes the lock without waiting. Throws `EWOULDBLOCK` if another process holds it.
    package init(of descriptor: consuming OwnedDescriptor) throws(SystemError) {
        let raw = descriptor.raw
        try system("flock") { flock(raw, LOCK_EX | LOCK_NB) }
        self.descriptor = descriptor
    }

    /// Ends the lock and leaves the file open.
    package borrowing func unlock() { flock(raw, LOCK_UN) }

    deinit { flock(descriptor.raw, LOCK_UN) }
}
