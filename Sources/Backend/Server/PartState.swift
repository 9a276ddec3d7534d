import Reactor

/// The state of a part of the server, for operators. It has neither names of people nor secrets.
struct PartState: Encodable, Sendable {
    let name: String
    let isWell: Bool
    /// How long the part has been in this state, or how old its news is; nil where neither means anything.
    var ageSeconds: Double?
    let detail: String

    /// The time after which what is due is late, and that change events may wait.
    static let late = Duration.seconds(5)

    static func rounded(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000)" }
}

/// The connection that listens to the change events of other servers, as operators see it.
final class ListenState: Sendable {
    private let state = Lock((isConnected: false, since: Monotonic.nanoseconds()))

    func set(_ isConnected: Bool) {
        state.withLock { state in
            if state.isConnected != isConnected { state = (isConnected, Monotonic.nanoseconds()) }
        }
    }

    var part: PartState {
        let (isConnected, since) = state.withLock { $0 }
        return PartState(
            name: "listen connection", isWell: isConnected,
            ageSeconds: Double(Monotonic.nanoseconds() &- since) / 1e9,
            detail: isConnected ? "connected" : "away: change events of other servers are missed")
    }
}
