extension RoomConnection {
    /// Informs the connection that the machine has another network or address, with the same effect as
    /// `resumed`. The library detects that by itself; this is for systems that report it in another way.
    public func networkChanged() { resumed() }

    /// Calls `resumed` on every connection of the process, and every stream of notifications.
    public nonisolated static func processResumed() async {
        for connection in LiveConnections.all { await connection.resumed() }
    }
}
