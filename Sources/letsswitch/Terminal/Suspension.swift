import Client
import Glibc

/// The suspension of the process by Ctrl-Z, and its end. On the loop, where the signals arrive.
enum Suspension {
    /// Stops the process as the signal would have, with the shell's screen back in place.
    ///
    /// The signal is sent again with its usual effect, and not SIGSTOP: where no shell could ever make the
    /// process go on again, the kernel then leaves it running.
    static func begin() {
        TerminalMode.suspend()
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTSTP)
        _ = kill(getpid(), SIGTSTP)
        // The process stops here, and goes on after SIGCONT.
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        TerminalMode.resume()
        redraw()
    }

    /// Takes the screen again when the process goes on, whatever had stopped it. Connections then do not wait
    /// out the rest of a pause.
    static func end() {
        TerminalMode.resume()
        redraw()
        Task { await RoomConnection.processResumed() }
    }

    /// Has the screen drawn as after a resize, which may have happened meanwhile.
    private static func redraw() { _ = kill(getpid(), SIGWINCH) }
}
