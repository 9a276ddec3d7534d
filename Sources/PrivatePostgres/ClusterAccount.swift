import CLinux
import Glibc
import Reactor

/// The user that PostgreSQL runs as: our own, or `postgres` if we are root, since PostgreSQL refuses to run
/// as root.
struct ClusterAccount: Sendable {
    let userID: uid_t
    let groupID: gid_t
    /// The path of `setpriv`, if PostgreSQL needs another user than ours.
    private let switcher: String?

    package static func current() throws(ClusterError) -> ClusterAccount {
        if geteuid() != 0 { return ClusterAccount(userID: geteuid(), groupID: getegid(), switcher: nil) }
        guard let switcher = Programs.find("setpriv") else { throw .noAccount("setpriv is missing") }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 * 1024)
        guard getpwnam_r("postgres", &entry, &buffer, buffer.count, &found) == 0, found != nil else {
            throw .noAccount("there is no user postgres")
        }
        return ClusterAccount(userID: entry.pw_uid, groupID: entry.pw_gid, switcher: switcher)
    }

    /// Returns the command as this user, in a neutral environment, so that no variable of ours affects
    /// PostgreSQL.
    package func command(_ executable: String, _ arguments: [String]) -> ChildProcess.Command {
        var command: ChildProcess.Command
        if let switcher {
            // `setpriv` execs the program, so that the process is the program's.
            let switching = ["--reuid=\(userID)", "--regid=\(groupID)", "--clear-groups", "--"]
            command = .init(switcher, switching + [executable] + arguments)
        } else {
            command = .init(executable, arguments)
        }
        command.environment = ["PATH": Programs.path, "LC_ALL": "C"]
        command.workingDirectory = "/"
        return command
    }

    /// Whether the user can write in the folder. A folder above it is closed more often than the folder
    /// itself.
    func canUse(_ folder: String) async -> Bool {
        guard let test = Programs.find("test"),
            let child = try? await ChildProcess.run(command(test, ["-w", folder]))
        else { return false }
        return await child.ending() == .exited(0)
    }

    /// Creates the folder, for this user only, or adopts an existing one if it is safe.
    package func claim(_ folder: String) throws(ClusterError) {
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw .unusable(path: folder, reason: String(cString: strerror(errno)))
        }
        var status = stat()
        guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .unusable(path: folder, reason: "it is not a folder")
        }
        if status.st_uid != userID {
            // We have just created the folder, or an earlier start that was cut off here has.
            guard status.st_uid == geteuid(), chown(folder, userID, groupID) == 0 else {
                throw .foreign(path: folder)
            }
        }
        if status.st_mode & 0o077 != 0, chmod(folder, 0o700) != 0 { throw .foreign(path: folder) }
    }
}
