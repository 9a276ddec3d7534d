import CLinux
import Glibc
package import Reactor

/// The folder that `DATA_DIR` names, as a place in the file system.
package enum DataFolder {
    /// Creates the folder if it is missing, without locking it; returns its absolute path.
    package static func make(_ given: String) throws(SystemError) -> String {
        // If root creates the folder, PostgreSQL's own user has to pass through it, but cannot list it.
        try makeFolders(given, mode: geteuid() == 0 ? 0o711 : 0o700)
        return try absolute(given)
    }

    private static func makeFolders(_ path: String, mode: mode_t) throws(SystemError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/\(part)"
            if mkdir(made, mode) == 0 {
                // The umask narrows the mode of mkdir.
                _ = chmod(made, mode)
            } else if errno != EEXIST {
                throw .failed(call: "mkdir", errno: errno)
            }
        }
    }

    private static func absolute(_ path: String) throws(SystemError) -> String {
        guard let resolved = realpath(path, nil) else { throw .failed(call: "realpath", errno: errno) }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
