/// A connection that its loop looks at now and then, for what has taken too long. Loop only.
///
/// One timer for all costs an idle connection nothing but its place in a list.
protocol TimeoutChecked: AnyObject {
    /// The place in the worker's list.
    var timeoutIndex: Int32 { get set }
    /// `now` is milliseconds since the worker began.
    func checkTimeouts(at now: UInt32)
    /// The server is stopping: go as soon as nothing is cut off.
    func drain()
}
