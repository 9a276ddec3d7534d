import Contract
import Database
import HTTP1
import Reactor

/// The limits on tests, each of which is a request to a host that its user chooses. Each server counts for
/// itself.
final class TestBounds: Sendable {
    /// The most tests of one user within a minute, whatever endpoints are removed meanwhile and added again.
    static let each = 10
    private static let window = Duration.seconds(60)
    /// The most tests that go to one host within a minute, for the endpoints of all users.
    static let perHost = 60
    /// The most users, and the most hosts, that are remembered.
    private static let capacity = 10_000

    private struct State {
        /// The times at which the latest tests of each user began.
        var begun: [Identifier: [Timestamp]] = [:]
        /// The times at which the latest tests to each host began.
        var sent: [String: [Timestamp]] = [:]

        mutating func forget(before instant: Timestamp) {
            begun = begun.compactMapValues { Self.recent($0, instant) }
            sent = sent.compactMapValues { Self.recent($0, instant) }
        }

        private static func recent(_ times: [Timestamp], _ instant: Timestamp) -> [Timestamp]? {
            let recent = times.filter { $0 > instant }
            return recent.isEmpty ? nil : recent
        }
    }

    private let state = Lock(State())

    /// Counts a test of that user; throws if there are too many.
    package func begin(_ user: Identifier, at now: Timestamp) throws(APIError) {
        let earliest = now.adding(.zero - Self.window)
        let refusal = state.withLock { state -> (detail: Text, seconds: Int)? in
            if state.begun.count >= Self.capacity { state.forget(before: earliest) }
            if state.begun.count >= Self.capacity {
                return ("Many are testing just now. Try again soon.", 60)
            }
            let recent = (state.begun[user] ?? []).filter { $0 > earliest }
            if recent.count >= Self.each { return ("At most \(Self.each) tests in a minute.", 60) }
            state.begun[user] = recent + [now]
            return nil
        }
        guard let refusal else { return }
        throw APIError(
            .tooManyRequests, refusal.detail, headers: ["Retry-After": Answer.spread(refusal.seconds)])
    }

    /// Counts a test to that host; throws if there are too many.
    package func send(to host: String, at now: Timestamp) throws(APIError) {
        let earliest = now.adding(.zero - Self.window)
        let isTaken = state.withLock { state in
            if state.sent.count >= Self.capacity { state.forget(before: earliest) }
            let recent = (state.sent[host] ?? []).filter { $0 > earliest }
            guard recent.count < Self.perHost, state.sent.count < Self.capacity || !recent.isEmpty else {
                return false
            }
            state.sent[host] = recent + [now]
            return true
        }
        guard !isTaken else { return }
        throw APIError(
            .tooManyRequests, "Many are testing endpoints at this host. Try again soon.",
            headers: ["Retry-After": Answer.spread(60)])
    }
}
