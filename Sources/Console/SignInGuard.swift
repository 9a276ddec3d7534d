import Contract
import Database
import Reactor

/// Counts failed sign-ins of operators: an address is locked out after too many, and a name has to wait
/// longer and longer. Each server counts for itself.
final class SignInGuard: Sendable {
    /// The failures of one address after which it is locked out, and the time in which they count.
    static let mostFailures = 20
    /// The failures of one address after which those who have signed in from there before are locked out too.
    static let mostFailuresOfKnown = 100
    static let window = Duration.seconds(15 * 60)
    /// The failures of a name that cost nothing; each one after them doubles the wait.
    static let freeFailures = 3
    static let longestWait = Duration.seconds(5 * 60)
    /// The longest wait at an address from which the operator has signed in before: guesses stay slow there
    /// too, and no operator is shut out.
    static let longestWaitOfKnown = Duration.seconds(2)
    /// The most addresses, and the most names, that are remembered; the oldest give way.
    static let capacity = 10_000
    /// The most passwords that are checked at once: each takes memory and a core.
    static let together = 4

    private struct Failures {
        var count = 0
        var since: Timestamp
        var last: Timestamp
    }

    private struct State {
        var addresses: [String: Failures] = [:]
        var names: [String: Failures] = [:]
        var underWay = 0
    }

    private let state = Lock(State())

    /// The number of addresses and names that are remembered.
    var counts: (addresses: Int, names: Int) { state.withLock { ($0.addresses.count, $0.names.count) } }

    /// Admits an attempt, and counts it as a failure until `end` says otherwise, so that attempts side
    /// by side gain nothing. Throws if the address is locked out, the name has to wait, or too many are under
    /// way. From an address that the operator has signed in from before, `isKnown`, more failures are
    /// allowed, and the name waits for two seconds at most.
    func begin(_ name: String, from address: String, isKnown: Bool, at now: Timestamp) throws(APIError) {
        let refusal: APIError? = state.withLock { state in
            if state.underWay >= Self.together {
                return APIError(
                    .unavailable, "Other operators are signing in. Try again in a moment.",
                    headers: ["Retry-After": "1"])
            }
            let most = isKnown ? Self.mostFailuresOfKnown : Self.mostFailures
            if let failures = state.addresses[address], now < failures.since.adding(Self.window),
                failures.count >= most
            {
                return Self.wait(failures.since.adding(Self.window).since(now))
            }
            if let failures = state.names[name] {
                let longest = isKnown ? Self.longestWaitOfKnown : Self.longestWait
                let until = failures.last.adding(min(Self.pause(after: failures.count), longest))
                if now < until { return Self.wait(until.since(now)) }
            }
            Self.add(address, to: &state.addresses, at: now)
            Self.add(name, to: &state.names, at: now)
            state.underWay += 1
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Ends an attempt. One that has succeeded clears the count of the name, and is no failure of the
    /// address; what others have tried there still counts.
    func end(_ name: String, from address: String, hasSucceeded: Bool) {
        state.withLock { state in
            state.underWay -= 1
            guard hasSucceeded else { return }
            state.names[name] = nil
            state.addresses[address]?.count -= 1
        }
    }

    /// Returns the time that a name waits after so many failures.
    static func pause(after failures: Int) -> Duration {
        if failures <= freeFailures { return .zero }
        return min(.seconds(1 << min(failures - freeFailures, 20)), longestWait)
    }

    private static func add(_ key: String, to table: inout [String: Failures], at now: Timestamp) {
        if var failures = table[key], now < failures.since.adding(window) {
            failures.count += 1
            failures.last = now
            table[key] = failures
            return
        }
        if table[key] == nil, table.count >= capacity {
            table = table.filter { now < $0.value.since.adding(window) }
            if table.count >= capacity, let oldest = table.min(by: { $0.value.since < $1.value.since }) {
                table[oldest.key] = nil
            }
        }
        table[key] = Failures(count: 1, since: now, last: now)
    }

    private static func wait(_ wait: Duration) -> APIError {
        let seconds = max(1, wait.components.seconds + 1)
        return APIError(
            .quotaExceeded,
            "There were too many failed sign-ins. Try again in \(counted(seconds, "second")).",
            headers: ["Retry-After": "\(seconds)"])
    }
}
