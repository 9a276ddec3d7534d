/// The exit status of the process.
enum ExitCode: Int32, Sendable {
    case success = 0
    /// Any failure that has no number of its own.
    case other = 1
    case usage = 2
    /// There is no token, or the server does not accept it.
    case signIn = 3
    case notFound = 4
    case conflict = 5
    case rateLimited = 6
    case network = 7
    /// `--timeout` ran out.
    case timedOut = 8
    /// Ctrl-C.
    case interrupted = 130

    /// The number to which shells add that of the signal that ended a process.
    static let signalBase: Int32 = 128
}
