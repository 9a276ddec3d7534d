import Glibc

/// What `bench return` is to do.
struct ReturnPlan {
    var port: UInt16
    var roomSize: Int
    /// The path of each client's socket, those of a room one after the other.
    var paths: [String]
    /// The server that is ended.
    var serverProcess: pid_t
    /// SIGKILL or SIGTERM.
    var signal: CInt
    /// A command for `sh` that starts the next one on the same port.
    var start: String
    /// For each step that somebody has to come to.
    var patience: Duration
}
