package import HTTP1
package import Reactor

/// A complete request that has been routed.
package final class HTTPRequest: Sendable {
    package let head: RequestHead
    /// The pattern of the path, in which `{name}` stands for a variable segment.
    package let route: String
    /// The values of the variable segments of the route, percent-decoded, in order.
    package let parameters: [String]
    package let query: QueryItems
    package let body: [UInt8]
    /// The client for which the request is counted, if addresses are limited.
    package let client: ClientAddress
    /// The path for a log: variable segments that are no ids may be secrets, and stay variable.
    package var loggedPath: String {
        var values = parameters[...]
        let segments = route.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            guard segment.hasPrefix("{"), let value = values.popFirst() else { return String(segment) }
            return segment == "{id}" || segment.hasSuffix("Id}") ? value : String(segment)
        }
        return segments.joined(separator: "/")
    }

    /// The id that the server makes for each request, for `X-Request-Id`.
    package var id: String { requestID.description }
    let requestID: RequestID
    /// The loop of the connection, on which the handler runs.
    package let loop: EventLoop

    init(
        head: RequestHead, route: String, parameters: [String], query: QueryItems, body: [UInt8],
        client: ClientAddress, id: RequestID, loop: EventLoop
    ) {
        self.head = head
        self.route = route
        self.parameters = parameters
        self.query = query
        self.body = body
        self.client = client
        requestID = id
        self.loop = loop
    }
}
