package import HTTP1
package import Reactor

/// A connection that is to become a WebSocket, on the loop that it belongs to from then on.
package struct Upgrade: Sendable {
    /// Where the connection goes.
    package let loop: EventLoop
    /// The fields of the 101.
    package let headers: HTTPHeaders
    /// Called on that loop, before anything was answered. It settles the connection by `accept` or `refuse`,
    /// at once or later; until then nothing is read.
    package let admit: @Sendable (WebSocketConnection) -> Void

    package init(
        to loop: EventLoop, headers: HTTPHeaders, admit: @escaping @Sendable (WebSocketConnection) -> Void
    ) {
        self.loop = loop
        self.headers = headers
        self.admit = admit
    }
}

/// What travels with the socket to its loop.
struct WebSocketHandOver: Sendable {
    let upgrade: Upgrade
    let request: HTTPRequest
    /// Its place in the quota of its address, where there is such a quota.
    let lease: Quota<AddressKey>.Lease?
    /// What the client has already sent behind the handshake.
    var remainder: [UInt8]
}
