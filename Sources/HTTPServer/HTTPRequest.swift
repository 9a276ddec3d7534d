package import HTTP1
package import Reactor

/// A whole request, routed.
package final class HTTPRequest: Sendable {
    package let head: RequestHead
    /// What the variable segments of the route matched, percent-decoded, in order.
    package let parameters: [String]
    package let query: QueryItems
    package let body: [UInt8]
    /// Whom it is counted for, where addresses are limited.
    package let client: ClientAddress
    /// Made by the server for each request; it goes into `X-Request-Id`.
    package var id: String { requestID.description }
    let requestID: RequestID
    /// Where its connection lives, and where its handler runs.
    package let loop: EventLoop

    init(
        head: RequestHead, parameters: [String], query: QueryItems, body: [UInt8],
        client: ClientAddress, id: RequestID, loop: EventLoop
    ) {
        self.head = head
        self.parameters = parameters
        self.query = query
        self.body = body
        self.client = client
        requestID = id
        self.loop = loop
    }
}
