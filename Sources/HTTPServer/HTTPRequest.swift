package import HTTP1
package import Reactor

/// A whole request, routed.
package struct HTTPRequest: Sendable {
    package let head: RequestHead
    /// What the variable segments of the route matched, percent-decoded, in order.
    package let parameters: [String]
    package let query: QueryItems
    package let body: [UInt8]
    /// Made by the server for each request; it goes into `X-Request-Id`.
    package let id: String
    /// Where its connection lives, and where its handler runs.
    package let loop: EventLoop
}
