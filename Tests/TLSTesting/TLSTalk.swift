import Reactor
package import TLS

/// A server's end of one connection, as a test sees it. Loop only.
package final class TLSTalk {
    package internal(set) var stream: TLSStream?
    private let socket: Reactor.Stream
    /// All that has come.
    package internal(set) var received: [UInt8] = []
    /// The name that the client asked for.
    package internal(set) var serverName: String?
    /// What belongs to the connection for as long as it lives.
    package var belongings: AnyObject?

    init(_ socket: Reactor.Stream) { self.socket = socket }

    /// Ends as a program does that is killed: what was written leaves, and nothing says that it was all.
    package func cut() { socket.finishWriting() }

    package func write(_ text: String) { stream?.write(Array(text.utf8)) }
}
