package import Codecs

/// The figures of a pool of connections, for `/metrics`.
package struct PoolFigures: Sendable {
    /// A histogram of waits without one.
    package static let noWaits = Histogram(bounds: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5])

    /// The connections that callers have now.
    package var leased = 0
    /// The connections that are open and not in use.
    package var idle = 0
    /// The connections that are being opened.
    package var opening = 0
    /// The callers that wait for a connection.
    package var waiting = 0
    /// The most connections that the pool may have.
    package var size = 0
    /// The times from a caller's asking for a connection to its having one, in seconds.
    package var waits = noWaits
    /// The number of callers that got none: there was none in time, too many waited, or the database was
    /// away.
    package var refusals = 0

    package init() {}

    init(
        leased: Int, idle: Int, opening: Int, waiting: Int, size: Int, waits: Histogram, refusals: Int
    ) {
        self.leased = leased
        self.idle = idle
        self.opening = opening
        self.waiting = waiting
        self.size = size
        self.waits = waits
        self.refusals = refusals
    }

    /// Adds the figures of another pool.
    package static func += (left: inout PoolFigures, right: PoolFigures) {
        left.leased += right.leased
        left.idle += right.idle
        left.opening += right.opening
        left.waiting += right.waiting
        left.size += right.size
        left.waits += right.waits
        left.refusals += right.refusals
    }
}
