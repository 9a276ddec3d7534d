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

    private struct Tests<Key: Hashable & Sendable>: Sendable {
        /// The times at which the latest tests of each key began.
        var begun: [Key: [Timestamp]] = [:]

        /// Counts a test unless there are `most` within the window. Returns whether it is counted; nil if no
        /// further key can be remembered.
        mutating func count(_ key: Key, _ most: Int, at now: Timestamp) -> Bool? {
            let earliest = now.adding(.zero - window)
            if begun.count >= capacity { begun = begun.filter { $0.value.contains { $0 > earliest } } }
            let recent = (begun[key] ?? []).filter { $0 > earliest }
            if recent.isEmpty, begun.count >= capacity { return nil }
            if recent.count >= most { return false }
            begun[key] = recent + [now]
            return true
        }
    }

    private let users = Lock(Tests<Identifier>())
    private let hosts = Lock(Tests<String>())

    /// Counts a test of that user; throws if there are too many.
    package func begin(_ user: Identifier, at now: Timestamp) throws(APIError) {
        switch users.withLock({ $0.count(user, Self.each, at: now) }) {
        case true?: return
        case false?: throw Self.refusal("At most \(Self.each) tests in a minute.")
        case nil: throw Self.refusal("Many are testing just now. Try again soon.")
        }
    }

    /// Counts a test to that host; throws if there are too many.
    package func send(to host: String, at now: Timestamp) throws(APIError) {
        if hosts.withLock({ $0.count(host, Self.perHost, at: now) }) != true {
            throw Self.refusal("Many are testing endpoints at this host. Try again soon.")
        }
    }

    private static func refusal(_ detail: Text) -> APIError {
        APIError(.tooManyRequests, detail, headers: ["Retry-After": Answer.spread(60)])
    }
}
