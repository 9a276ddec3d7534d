package import Codecs
package import Reactor

/// The bytes of a server's connections, and how long its clients take to answer.
package struct SocketTraffic: Sendable {
    /// An empty histogram of the seconds from pings to their pongs.
    static let noRoundTrips = Histogram(
        bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10])

    /// The bytes on the loops of the server, those of outbound connections included.
    package var bytes = Traffic()
    package var roundTrips = SocketTraffic.noRoundTrips
    /// The bytes that wait for slow readers now.
    package var queuedBytes = 0

    package static func += (left: inout SocketTraffic, right: SocketTraffic) {
        left.bytes += right.bytes
        left.roundTrips += right.roundTrips
        left.queuedBytes += right.queuedBytes
    }
}
