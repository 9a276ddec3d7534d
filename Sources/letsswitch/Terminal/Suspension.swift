import Client
import Glibc

/// Ctrl-Z and back. On the loop, where the signals arrive.
enum Suspension {
    /// Stops the process as the signal would have, with the shell's screen back in place.
    ///
    /// The signal is sent anew with its usual effect, and not SIGSTOP: where no shell could ever make the
    /// process go on again, the kernel then leaves it running.
    static func begin() {
        TerminalMode.suspend()
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTSTP)
        _ = kill(getpid(), SIGTSTP)
        // Here it stops, and goes on after SIGCONT.
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        TerminalMode.resume()
        redraw()
    }

    /// The process goes on, whatever had stopped it: the screen is taken again, and connections do not wait
    /// out what was left of a pause.
    static func end() {
        TerminalMode.resume()
        redraw()
        Task { await RoomConnection.processResumed() }
    }

    /// As after a resize, which the window may have had meanwhile.
    private static func redraw() { _ = kill(getpid(), SIGWINCH) }
}
