extension RoomConnection {
    /// Informs the connection that the network of the machine has changed, with the effect of `resumed`. The
    /// library detects this by itself; this method is for systems that report it in another way.
    public func networkChanged() { resumed() }

    /// Calls `resumed` on every connection of the process, and every stream of notifications.
    public nonisolated static func processResumed() async {
        for connection in LiveConnections.all { await connection.resumed() }
    }
}
