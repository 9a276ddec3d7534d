import Contract
import Reactor

/// The latest push that each of Apple's services accepted from this process, and the latest warnings. Pushes
/// of earlier processes do not count: their configuration may have been another.
final class APNsHistory: Sendable {
    /// The time for which an accepted push shows that the configuration is right.
    static let memory = Duration.seconds(24 * 3600)
    /// The shortest time between two warnings of the same fault.
    static let pause = Duration.seconds(60)

    private struct State {
        var accepted: [PushEnvironment: Timestamp] = [:]
        var warned: [APNsAnswer.Fault: Timestamp] = [:]
    }

    private let state = Lock(State())

    func accept(_ environment: PushEnvironment, at now: Timestamp) {
        state.withLock { $0.accepted[environment] = now }
    }

    /// Whether the service has accepted a push within the last day.
    func hasAccepted(_ environment: PushEnvironment, at now: Timestamp) -> Bool {
        state.withLock { state in
            state.accepted[environment].map { now.since($0) < Self.memory } ?? false
        }
    }

    /// Whether a warning of the fault is due; it then counts as given.
    func isDue(_ fault: APNsAnswer.Fault, at now: Timestamp) -> Bool {
        state.withLock { state in
            if let last = state.warned[fault], now.since(last) < Self.pause { return false }
            state.warned[fault] = now
            return true
        }
    }
}
