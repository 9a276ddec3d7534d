package import HTTP1
package import Reactor

/// A whole request, routed.
package final class HTTPRequest: Sendable {
    package let head: RequestHead
    /// What the variable segments of the route matched, percent-decoded, in order.
    package let parameters: [String]
    package let query: QueryItems
    package let body: [UInt8]
    /// Made by the server for each request; it goes into `X-Request-Id`.
    package let id: String
    /// Where its connection lives, and where its handler runs.
    package let loop: EventLoop

    init(
        head: RequestHead, parameters: [String], query: QueryItems, body: [UInt8], id: String, loop: EventLoop
    ) {
        self.head = head
        self.parameters = parameters
        self.query = query
        self.body = body
        self.id = id
        self.loop = loop
    }
}
