package import HTTP1

/// What the server itself has to refuse. The service says how: no answer is in another form than its own.
package enum HTTPServerError: Sendable {
    /// The bytes are no request, or one beyond a limit.
    case unreadable(HTTPError)
    /// The path or the query cannot be decoded.
    case badTarget(String)
    case notFound
    case methodNotAllowed(allowed: String)
    /// The request did not arrive whole in time.
    case timedOut
    /// There are as many connections as there may be.
    case tooManyConnections
    /// The address has as many connections as one may have.
    case tooManyConnectionsFromAddress
    /// The address sent more requests than it may. Seconds until the next.
    case tooManyRequests(retryAfter: Int)

    static let notText = HTTPServerError.badTarget("the path or the query is not valid UTF-8")
}
