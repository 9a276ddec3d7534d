package import HTTP1
package import Reactor

/// A request from this server to another one.
package struct PeerRequest: Sendable {
    package var method: HTTPMethod
    /// The path with the query.
    package var target: String
    /// The value of Host: the server's name and port.
    package var host: String
    /// The other fields. Without a `Connection` among them the connection ends with the answer.
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// The most bytes of the answer's body.
    package var maximumAnswer = PeerRequest.maximumAnswer
    /// The most bytes of an answer's body unless a request permits more.
    package static let maximumAnswer = 64 * 1024

    package init(
        method: HTTPMethod, target: String, host: String = "", headers: HTTPHeaders = [:], body: [UInt8] = []
    ) {
        self.method = method
        self.target = target
        self.host = host
        self.headers = headers
        self.body = body
    }
}

/// The answer of another server.
package struct PeerResponse: Sendable {
    package let status: Int
    package let headers: HTTPHeaders
    package var body: [UInt8] = []
    /// The connection, which speaks the new protocol from now on; only where the status is 101.
    package var link: OpenLink?
}

/// The reason for which there is no answer of another server.
package enum PeerLinkError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The server has no address, for this reason.
    case noAddress(String)
    /// This process has no descriptor for a connection.
    case outOfDescriptors
    /// The connection was refused: nothing listens at the address.
    case refused
    /// There was no connection for another reason, such as a network without a route.
    case unreachable(SystemError)
    /// The connection or the whole answer did not come in time.
    case timedOut
    /// The connection ended before the answer was complete.
    case closed
    /// The answer is not one of HTTP/1.1, or beyond a limit.
    case malformed(HTTPError)
    /// The task that waited was cancelled, or the loop has ended.
    case cancelled

    /// Returns the error of an attempt to connect. A lack of descriptors here is no silence of the other
    /// server.
    init(connecting error: SystemError) {
        if error.isRefusal {
            self = .refused
        } else if error.isOutOfDescriptors {
            self = .outOfDescriptors
        } else {
            self = PeerLinkError(of: error) ?? .unreachable(error)
        }
    }

    /// Returns the meaning that an error has before and after the connection is there; nil for any other.
    init?(of error: SystemError) {
        if error.isTimeout {
            self = .timedOut
        } else if error.isCancellation {
            self = .cancelled
        } else {
            return nil
        }
    }

    package var description: String {
        switch self {
        case .noAddress(let reason): reason
        case .outOfDescriptors: "this server has no descriptor left"
        case .refused: "the connection was refused"
        case .unreachable(let error): "\(error)"
        case .timedOut: "no answer in time"
        case .closed: "the connection ended"
        case .malformed(let error): "\(error)"
        case .cancelled: "the server stops"
        }
    }
}
