import Glibc

/// The plan of a run of `bench return`.
struct ReturnPlan {
    var port: UInt16
    var roomSize: Int
    /// The path of each client's socket, those of a room one after the other.
    var paths: [String]
    /// The process id of the server that is ended.
    var serverProcess: pid_t
    /// The signal that ends it: SIGKILL or SIGTERM.
    var signal: CInt
    /// A command for `sh` that starts the next server on the same port.
    var start: String
    /// The time limit of each step.
    var patience: Duration
}
