package import Reactor

/// An account of one WebSocket, for a log that wants one. Loop only.
package final class SocketRecord {
    /// The end of a socket.
    package struct End: Equatable, Sendable {
        /// The code of the first close frame of either side; 1006 if there was none (RFC 6455 §7.1.5).
        package var code: UInt16 = 1006
        package var reason = ""
        package var seconds = 0.0
        package var traffic = Traffic()
    }

    private let began = Monotonic.nanoseconds()
    private var end = End()
    private let ended: (End) -> Void

    /// `ended` is called once, when the connection has ended.
    package init(ended: @escaping (End) -> Void) { self.ended = ended }

    func closes(_ code: UInt16, _ reason: String) {
        if end.code != 1006 { return }
        end.code = code
        end.reason = reason
    }

    func finish(_ traffic: Traffic) {
        end.seconds = Double(Monotonic.nanoseconds() &- began) / 1e9
        end.traffic = traffic
        ended(end)
    }
}
