import Glibc
import Reactor

/// The terminal as the join screen needs it, and back again.
enum TerminalMode {
    /// What the terminal was like before; nil: nothing is changed.
    private static let saved = Lock<termios?>(nil)

    /// Keys one by one and unseen, on a screen of its own. Ctrl-C still is a signal.
    static func enterScreen() {
        var mode = termios()
        guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return }
        let before = mode
        saved.withLock { $0 = before }
        apply(mode)
    }

    /// Before the process stops: the shell gets its screen back.
    static func suspend() { if let before = saved.withLock(\.self) { giveBack(before) } }

    /// Once the process goes on: the screen is taken again, as it was. Whoever draws has to draw anew.
    static func resume() { if let before = saved.withLock(\.self) { apply(before) } }

    private static func apply(_ before: termios) {
        var mode = before
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        _ = tcsetattr(STDIN_FILENO, TCSANOW, &mode)
        // What is pasted comes between marks, so that it is not taken for keys.
        send("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h")
    }

    /// Puts back what was changed; called again, it does nothing.
    static func restore() {
        let before = saved.withLock { saved in
            defer { saved = nil }
            return saved
        }
        if let before { giveBack(before) }
    }

    private static func giveBack(_ before: termios) {
        var before = before
        _ = tcsetattr(STDIN_FILENO, TCSANOW, &before)
        send("\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l")
    }

    static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    private static func send(_ sequence: String) {
        _ = Glibc.write(STDOUT_FILENO, sequence, sequence.utf8.count)
    }
}
