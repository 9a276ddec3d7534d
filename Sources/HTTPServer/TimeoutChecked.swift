/// A connection whose time-outs its loop checks periodically. Loop only.
///
/// There is one timer for all, so that an idle connection costs only its place in a list. The list has the
/// time of the next check, so that an open WebSocket whose time has not come is not touched.
protocol TimeoutChecked: AnyObject {
    /// The place in the worker's list.
    var timeoutIndex: Int32 { get set }
    /// Checks the time-outs; `now` is in milliseconds since the worker began. Returns the time before which
    /// nothing has to be checked unless `HTTPWorker.setNextCheck` is called.
    func checkTimeouts(at now: UInt32) -> UInt32
    /// The number of bytes that wait for the reader.
    var pendingBytes: Int { get }
    /// Ends the connection, since the process holds more bytes than it may.
    func cut()
    /// Closes the connection as soon as nothing is cut off, since the server is stopping.
    func drain()
}
