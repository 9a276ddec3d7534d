/// The bounds and habits of a session.
package struct HTTPSessionConfiguration: Sendable {
    package enum Version: Sendable {
        case http1
        /// Over TLS, where the other side speaks it; requests to one host then share a connection.
        case http2
    }

    package var version = Version.http1
    /// Zero: no bound.
    package var connectionsPerHost = 0
    /// Open connections that are kept for later.
    package var idleConnections = 64
    /// Requests at once on one connection of HTTP/2.
    package var streamsPerConnection = 1_000
    /// Bytes that are read of a body, and of a header.
    package var maximumBody = 64 * 1024
    package var maximumHeader = 16 * 1024
    package var userAgent = "letsswitch"
    /// A file of certificates in PEM to trust instead of the system's.
    package var authorities: String?

    package init() {}
}
