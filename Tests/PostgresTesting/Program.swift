import CLinux
import Glibc
import TestKit

/// Other programs that the tests start. Their output goes to a log; they inherit no other descriptor.
enum Program {
    /// Runs a program to its end. Blocks.
    static func run(_ arguments: [String], log: String) throws {
        let pid = try start(arguments, input: nil, log: log)
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0 {
            guard errno == EINTR else { throw TestError("waitpid: \(errno)") }
        }
        if status != 0 {
            throw TestError("\(arguments.joined(separator: " ")): status \(status)\n\(tail(of: log))")
        }
    }

    /// Starts a program in a session of its own, with its input from the descriptor or from /dev/null.
    static func start(_ arguments: [String], input: CInt?, log: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o666)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // PostgreSQL does not start where hundreds of descriptors are open already.
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        let setsid: CInt = 0x80  // POSIX_SPAWN_SETSID: a Ctrl-C at the terminal does not reach it.
        posix_spawnattr_setflags(&attributes, Int16(CInt(POSIX_SPAWN_SETSIGMASK) | setsid))
        let copies = arguments.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, arguments[0], &actions, &attributes, copies + [nil], environ)
        guard code == 0 else { throw TestError("\(arguments[0]): \(String(cString: strerror(code)))") }
        return pid
    }

    /// Returns the arguments for running the program as the user `postgres` under root, as which PostgreSQL
    /// does not run.
    static func unprivileged(_ arguments: [String]) -> [String] {
        guard geteuid() == 0 else { return arguments }
        return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] + arguments
    }

    static func tail(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        fseek(file, max(0, ftell(file) - 4000), SEEK_SET)
        var bytes = [UInt8](repeating: 0, count: 4000)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
