import Glibc
import Testing

/// A pseudo-terminal with a process that has it as its controlling terminal.
struct PseudoTerminal {
    let process: pid_t
    /// The terminal's side: bytes written here are typed, bytes read are displayed.
    let terminal: CInt

    // Macros that are not imported to Swift: TIOCSPTLCK, TIOCGPTN, POSIX_SPAWN_SETSID.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430
    private static let newSession: Int16 = 0x80

    init(_ path: String, _ arguments: [String], _ environment: [String], columns: Int, rows: Int) throws {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (CInt, CInt) = (0, 0)
        try #require(terminal >= 0)
        try #require(ioctl(terminal, Self.setLock, &lock) == 0)
        try #require(ioctl(terminal, Self.getNumber, &number) == 0)
        let name = "/dev/pts/\(number)"
        Self.resize(terminal, columns, rows)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // A terminal that the leader of a new session opens becomes its controlling terminal.
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Self.newSession | Int16(POSIX_SPAWN_SETSIGMASK))
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var process: pid_t = 0
        try #require(posix_spawn(&process, path, &actions, &attributes, &words, &variables) == 0)
        (self.process, self.terminal) = (process, terminal)
    }

    static func resize(_ terminal: CInt, _ columns: Int, _ rows: Int) {
        var size = winsize(
            ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }
}
