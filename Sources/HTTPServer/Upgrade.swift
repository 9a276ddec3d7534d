package import HTTP1
package import Reactor

/// A connection that is to become a WebSocket, on the loop that it belongs to from then on.
package struct Upgrade: Sendable {
    /// The loop to which the connection goes.
    package let loop: EventLoop
    /// The header fields of the 101 response.
    package let headers: HTTPHeaders
    /// The account that asks for the upgrade, for the access log.
    let account: (any CustomStringConvertible & Sendable)?
    /// Whether another server asks for the account: the address is not the client's.
    let isOfPeer: Bool
    /// Called on that loop, before any response. It calls `accept` or `refuse`, or returns a task that will,
    /// which is cancelled if the client goes away first; until then nothing is read.
    let open: @Sendable (WebSocketConnection) -> Task<Void, Never>?

    package init(
        to loop: EventLoop, headers: HTTPHeaders, account: (any CustomStringConvertible & Sendable)? = nil,
        isOfPeer: Bool = false,
        open: @escaping @Sendable (WebSocketConnection) -> Task<Void, Never>?
    ) {
        self.loop = loop
        self.headers = headers
        self.account = account
        self.isOfPeer = isOfPeer
        self.open = open
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

    /// The bytes that count while the socket is opened.
    var heldBytes: Int {
        remainder.count + request.head.heldBytes + request.body.count + MemoryBudget.requestOverhead
    }

    /// Returns the record of the request with the status that it got.
    func answered(_ status: Int, bytes: Int = 0) -> AnsweredRequest {
        AnsweredRequest(request, status: status, seconds: 0, bytes: bytes, account: upgrade.account)
    }
}
