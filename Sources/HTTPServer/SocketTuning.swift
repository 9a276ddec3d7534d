/// The wishes of a client about its WebSocket.
package struct SocketTuning: Sendable {
    /// The time between two pings; nil for that of the server's configuration. The socket is closed after two
    /// and a half of them in silence.
    package var pingInterval: Duration?
    /// The most bytes that wait in the kernel until they can be sent, at least 1; nil for as many as it
    /// takes.
    package var unsentBytes: Int32?

    package init(pingInterval: Duration? = nil, unsentBytes: Int32? = nil) {
        self.pingInterval = pingInterval
        self.unsentBytes = unsentBytes
    }
}
