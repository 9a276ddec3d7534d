import Reactor
package import TLS

/// A server's end of one connection, as a test sees it. Loop only.
package final class TLSTalk {
    package internal(set) var stream: TLSStream?
    private let socket: Reactor.Stream
    /// The received bytes.
    package internal(set) var received: [UInt8] = []
    /// The name that the client asked for.
    package internal(set) var serverName: String?
    /// An object that lives as long as the connection.
    package var belongings: AnyObject?

    init(_ socket: Reactor.Stream) { self.socket = socket }

    /// Ends the connection as a killed program does: the output leaves, without a close_notify.
    package func cut() { socket.finishWriting() }

    package func write(_ text: String) { stream?.write(Array(text.utf8)) }
}
