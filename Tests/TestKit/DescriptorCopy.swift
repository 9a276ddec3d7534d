import Glibc

/// A copy of a descriptor that this process has of a file, as a process has that is being started.
package final class DescriptorCopy: Sendable {
    private let raw: CInt

    /// Copies a descriptor of the file, whose path is absolute and without symbolic links; nil if there is
    /// none.
    package init?(ofFile path: String) {
        // Other tests have thousands of descriptors open: the file's may have any number.
        let limit = CInt(clamping: sysconf(CInt(_SC_OPEN_MAX)))
        let found = (0..<limit).first { descriptor in
            var target = [UInt8](repeating: 0, count: 256)
            let length = readlinkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", &target, target.count)
            return length == path.utf8.count && target.prefix(length).elementsEqual(path.utf8)
        }
        guard let found else { return nil }
        raw = fcntl(found, F_DUPFD_CLOEXEC, 0)
        if raw < 0 { return nil }
    }

    deinit { close(raw) }
}
