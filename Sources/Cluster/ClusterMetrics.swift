package import Codecs
package import Contract
import Reactor

/// The figures of what this server does for rooms of others, for `/metrics`. Any thread may use it.
package final class ClusterMetrics: Sendable {
    /// The results of asking the owner of a room to let a device in.
    package enum Tunnel: String, CaseIterable, Sendable {
        /// The device is connected to the owner.
        case open
        /// The owner does not let the device in.
        case refused
        /// The server that was asked is not the owner.
        case notOwner
        /// The owner is gone.
        case gone
        /// The owner does not answer, and may still live.
        case unreachable
        /// This server has no descriptor for a connection to the owner.
        case full
    }

    package struct Values: Sendable {
        package var tunnels: [Tunnel: Int] = [:]
        package var roomsTaken = 0
        package var takeOverSeconds = Histogram(bounds: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30])

        package var figures: [Figure] {
            [
                Figure(
                    "tunnels_total", "Sockets that were brought to the server of their room, by the outcome.",
                    by: "outcome", Tunnel.allCases.map { ($0.rawValue, tunnels[$0] ?? 0) }),
                Figure(
                    "rooms_taken_over_total", "Rooms that were taken over from servers that are gone.",
                    roomsTaken),
                Figure(
                    "take_over_seconds",
                    "From the first knock at a room whose server is gone to its being here.",
                    takeOverSeconds),
            ]
        }
    }

    private struct State {
        var values = Values()
        /// The first knocks at rooms whose owners did not answer, in monotonic nanoseconds.
        var knocks: [Identifier: UInt64] = [:]
    }

    /// The time for which a knock is remembered. A client that returns later is counted from its return.
    private static let memory: UInt64 = 60_000_000_000
    /// The most knocks that are remembered.
    private static let maximumKnocks = 10_000

    private let state = Lock(State())

    package init() {}

    package var current: Values { state.withLock { $0.values } }

    package func count(_ tunnel: Tunnel) { state.withLock { $0.values.tunnels[tunnel, default: 0] += 1 } }

    /// Notes that a client knocked at a room whose owner does not answer.
    package func knocked(at room: Identifier, _ time: UInt64) {
        state.withLock { state in
            if let first = state.knocks[room], time < first + Self.memory { return }
            if state.knocks.count >= Self.maximumKnocks {
                state.knocks = state.knocks.filter { time < $0.value + Self.memory }
            }
            if state.knocks.count < Self.maximumKnocks { state.knocks[room] = time }
        }
    }

    /// Counts a room that was taken over from an owner that is gone.
    package func tookRoom() { state.withLock { $0.values.roomsTaken += 1 } }

    /// Notes that a room that was taken over is open here: the take-over began with the first knock, and at
    /// `knock` at the latest.
    package func opened(_ room: Identifier, knock: UInt64, now: UInt64) {
        state.withLock { state in
            var first = knock
            if let known = state.knocks.removeValue(forKey: room), now < known + Self.memory {
                first = min(first, known)
            }
            state.values.takeOverSeconds.add(Double(now - first) / 1e9)
        }
    }
}
