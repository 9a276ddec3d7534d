/// What the process tells the shell.
enum ExitCode: Int32, Sendable {
    case success = 0
    /// Anything that has no number of its own.
    case other = 1
    case usage = 2
    /// There is no token, or it is not taken.
    case signIn = 3
    case notFound = 4
    case conflict = 5
    case rateLimited = 6
    case network = 7
    /// `--timeout` ran out.
    case timedOut = 8
    /// Ctrl-C.
    case interrupted = 130

    /// To this, shells add the number of a signal that ends a process.
    static let signalBase: Int32 = 128
}
