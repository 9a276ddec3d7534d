/// A connection whose time-outs its loop checks periodically. Loop only.
///
/// There is one timer for all, so that an idle connection costs only its place in a list.
protocol TimeoutChecked: AnyObject {
    /// The place in the worker's list.
    var timeoutIndex: Int32 { get set }
    /// Checks the time-outs; `now` is in milliseconds since the worker began.
    func checkTimeouts(at now: UInt32)
    /// The number of bytes that wait for the reader.
    var pendingBytes: Int { get }
    /// Closes the connection as soon as nothing is cut off, since the server is stopping.
    func drain()
}
