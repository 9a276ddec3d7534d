/// The id of a handler that was registered with `RoomConnection.on`.
public struct RouteID: Hashable, Sendable {
    fileprivate let number: UInt64
}

/// The handlers of a connection, each a task that reads messages.
struct RouteTable: Sendable {
    private var tasks: [UInt64: Task<Void, Never>] = [:]
    private var last: UInt64 = 0

    mutating func add(_ task: Task<Void, Never>) -> RouteID {
        last += 1
        tasks[last] = task
        return RouteID(number: last)
    }

    mutating func remove(_ id: RouteID) { tasks.removeValue(forKey: id.number)?.cancel() }
}
