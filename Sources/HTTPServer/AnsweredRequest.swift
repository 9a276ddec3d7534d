package import HTTP1

/// A request that was answered, as counts, logs and traces see it.
package struct AnsweredRequest: Sendable {
    /// The method; nil if no head was read.
    package let method: HTTPMethod?
    /// The route; nil if no route has the path, or no head was read.
    package let route: Router.Route?
    /// The request, if a handler got it; nil if it was answered, or refused, before.
    package let request: HTTPRequest?
    package let status: Int
    /// The time from the whole request to the end of the answer; zero for what was answered at once.
    package let seconds: Double
    /// The number of bytes of the body of the answer.
    package let bytes: Int
    /// The client for which the request is counted; the remote end of the connection if no head was read.
    package let client: ClientAddress
    /// Whether the answer was a stream, which lasts as long as its client wants.
    package let isStream: Bool
    /// The account that sent the request, as the handler has found out.
    package let account: (any CustomStringConvertible & Sendable)?
    let requestID: RequestID

    /// The id in `X-Request-Id`.
    package var id: String { requestID.description }

    /// A random number from 0 to 99, for choosing a share of the requests.
    package var lot: Int { requestID.lot }
}

extension AnsweredRequest {
    /// Creates the record of a request that a handler got.
    init(
        _ request: HTTPRequest, status: Int, seconds: Double, bytes: Int,
        account: (any CustomStringConvertible & Sendable)?, isStream: Bool = false
    ) {
        self.init(
            method: request.head.method, route: request.matched, request: request, status: status,
            seconds: seconds, bytes: bytes, client: request.client, isStream: isStream, account: account,
            requestID: request.requestID)
    }
}
