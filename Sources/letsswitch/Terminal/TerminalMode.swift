import Glibc
import Reactor

/// The mode of the terminal for the join screen, and its restoration.
enum TerminalMode {
    /// The mode of the terminal before; nil: nothing is changed.
    private static let saved = Lock<termios?>(nil)

    /// Switches to single keys without echo, on the alternate screen. Ctrl-C is still a signal.
    static func enterScreen() {
        var mode = termios()
        guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return }
        let before = mode
        saved.withLock { $0 = before }
        apply(mode)
    }

    /// Gives the shell its screen back, before the process stops.
    static func suspend() { if let before = saved.withLock(\.self) { giveBack(before) } }

    /// Takes the screen again, once the process goes on. The caller has to draw again.
    static func resume() { if let before = saved.withLock(\.self) { apply(before) } }

    private static func apply(_ before: termios) {
        var mode = before
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        _ = tcsetattr(STDIN_FILENO, TCSANOW, &mode)
        // Pasted text comes between marks, so that it is not taken for keys.
        send("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h")
    }

    /// Restores the mode of the terminal; called again, it does nothing.
    static func restore() {
        if let before = saved.withLock({ $0.take() }) { giveBack(before) }
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
        try? writeAll(Array(sequence.utf8), to: STDOUT_FILENO)
    }
}
