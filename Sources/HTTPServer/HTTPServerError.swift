package import HTTP1

/// A request or connection that the server itself refuses. The service makes the response, so that all
/// responses have its form.
package enum HTTPServerError: Sendable {
    /// The bytes are not a request, or one beyond a limit.
    case unreadable(HTTPError)
    /// The path or the query cannot be decoded.
    case badTarget(String)
    case notFound
    case methodNotAllowed(allowed: String)
    /// The request did not arrive completely in time.
    case timedOut
    /// The server has the most connections that it may have.
    case tooManyConnections
    /// The address has the most connections that one may have.
    case tooManyConnectionsFromAddress
    /// The server holds as many bytes of requests and answers as it may.
    case outOfMemory
    /// The address sent more requests than it may; `retryAfter` is the seconds until the next one.
    case tooManyRequests(retryAfter: Int)

    static let notText = HTTPServerError.badTarget(
        "the path or the query has a bad percent escape, or is not valid UTF-8")
}
