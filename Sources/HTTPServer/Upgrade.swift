package import HTTP1
package import Reactor

/// A connection that is to become a WebSocket, on the loop that it belongs to from then on.
package struct Upgrade: Sendable {
    /// The loop to which the connection goes.
    package let loop: EventLoop
    /// The header fields of the 101 response.
    package let headers: HTTPHeaders
    /// Called on that loop, before any response. It settles the connection by `accept` or `refuse`, at once
    /// or later; until then nothing is read.
    package let admit: @Sendable (WebSocketConnection) -> Void

    package init(
        to loop: EventLoop, headers: HTTPHeaders, admit: @escaping @Sendable (WebSocketConnection) -> Void
    ) {
        self.loop = loop
        self.headers = headers
        self.admit = admit
    }
}

/// The state that goes with a socket to its loop.
struct WebSocketHandOver: Sendable {
    let upgrade: Upgrade
    let request: HTTPRequest
    /// The lease in the quota of its address, if there is such a quota.
    let lease: Quota<AddressKey>.Lease?
    /// The bytes that the client has already sent after the handshake.
    var remainder: [UInt8]
}
