package import HTTP1
package import Reactor

/// A complete request that has been routed.
package final class HTTPRequest: Sendable {
    package let head: RequestHead
    /// The values of the variable segments of the route, percent-decoded, in order.
    package let parameters: [String]
    package let query: QueryItems
    package let body: [UInt8]
    /// The client for which the request is counted, if addresses are limited.
    package let client: ClientAddress
    /// The id that the server makes for each request, for `X-Request-Id`.
    package var id: String { requestID.description }
    let requestID: RequestID
    /// The loop of the connection, on which the handler runs.
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
