package import HTTP1
package import Reactor

/// A request of this server to another one.
package struct PeerCall: Sendable {
    package var method: HTTPMethod
    package var target: String
    /// The value of Host.
    package var host: String
    package var headers: HTTPHeaders
    package var body: [UInt8]
}

/// The answer of another server.
package struct PeerAnswer: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: [UInt8]

    package init(status: Int, headers: HTTPHeaders, body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The reason for which there is no answer of another server.
package enum PeerCallError: Error, Equatable {
    /// The connection was refused: nothing listens at the address.
    case refused
    /// There was no answer, or none that can be read.
    case noAnswer(String)
}

/// The way in which requests reach other servers.
package protocol PeerCalling: Sendable {
    /// Sends the request on a connection of its own, and returns the answer. The time-out is for all of it.
    func send(
        _ call: PeerCall, to address: SocketAddress, timeout: Duration
    ) async throws(PeerCallError) -> PeerAnswer
}
