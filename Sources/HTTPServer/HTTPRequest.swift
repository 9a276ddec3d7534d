package import HTTP1
package import Reactor
package import Tracing

/// A complete request that has been routed.
package final class HTTPRequest: Sendable {
    package let head: RequestHead
    /// The route that has the path.
    let matched: Router.Route
    /// The pattern of the path, in which `{name}` stands for a variable segment.
    package var route: String { matched.pattern }
    /// The values of the variable segments of the route, percent-decoded, in order.
    package let parameters: [String]
    package let query: QueryItems
    package let body: [UInt8]
    /// The client for which the request is counted, if addresses are limited.
    package let client: ClientAddress
    /// Whether a trusted proxy has sent the request.
    private let isProxied: Bool
    /// Whether the client has sent the request by TLS, as a trusted proxy says: the server itself speaks
    /// none.
    package var isSecure: Bool {
        let schemes = isProxied ? head.headers.all("x-forwarded-proto") : []
        // Each proxy adds the scheme by which it was reached: the client's is the first.
        let first = schemes.first?.split(separator: ",").first
        return first?.filter { $0 != " " && $0 != "\t" }.lowercased() == "https"
    }
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
    /// The span of the request; nil if it is not traced.
    package let span: Span?
    /// The loop of the connection, on which the handler runs.
    package let loop: EventLoop

    init(
        head: RequestHead, matched: Router.Route, parameters: [String], query: QueryItems, body: [UInt8],
        client: ClientAddress, isProxied: Bool, id: RequestID, span: Span?, loop: EventLoop
    ) {
        self.head = head
        self.matched = matched
        self.parameters = parameters
        self.query = query
        self.body = body
        self.client = client
        self.isProxied = isProxied
        requestID = id
        self.span = span
        self.loop = loop
    }
}
