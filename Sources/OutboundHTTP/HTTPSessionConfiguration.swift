/// The bounds and options of a session.
package struct HTTPSessionConfiguration: Sendable {
    package enum Version: Sendable {
        case http1
        /// HTTP/2 over TLS, if the other side speaks it; requests to one host then share a connection.
        /// Each connection gets one request until it is answered.
        case http2
    }

    package var version = Version.http1
    /// The maximum number of connections to one host; zero: no bound.
    package var connectionsPerHost = 0
    /// The maximum number of open connections that are kept for later.
    package var idleConnections = 64
    /// The maximum number of requests at once on one HTTP/2 connection.
    package var streamsPerConnection = 1_000
    /// The maximum number of bytes that are read of a body, and of a header.
    package var maximumBody = 64 * 1024
    package var maximumHeader = 16 * 1024
    package var userAgent = "letsswitch"
    /// A file of certificates in PEM to trust instead of the system's.
    package var authorities: String?

    package init() {}
}
