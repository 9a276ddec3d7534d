import Contract
import Reactor

/// The intervals in which servers were ready, and in which their database was away or the machine too busy:
/// the promises of a siege depend on them.
final class Uptime: Sendable {
    private struct Stay {
        let server: ServerProcess
        let from: Timestamp
        var to: Timestamp?
    }

    private struct State {
        var stays: [Stay] = []
        var outages: [ClosedRange<Timestamp>] = []
        var starved = Duration.zero
    }

    private let state = Lock(State())

    func began(_ server: ServerProcess) {
        state.withLock { $0.stays.append(Stay(server: server, from: .now, to: nil)) }
    }

    func ended(_ server: ServerProcess) {
        state.withLock { state in
            for index in state.stays.indices where state.stays[index].server === server {
                state.stays[index].to = .now
            }
        }
    }

    /// Records that the database is away while the body runs.
    func withoutDatabase(_ body: () async throws -> Void) async rethrows {
        let from = Timestamp.now
        try await body()
        state.withLock { $0.outages.append(from...Timestamp.now) }
    }

    /// Records that the machine was too busy for the servers: it counts as if the database had been away.
    func wasStarved(from begin: Timestamp, to end: Timestamp) {
        state.withLock { state in
            state.outages.append(begin...max(begin, end))
            state.starved += max(.zero, end.since(begin))
        }
    }

    /// The time for which the machine was too busy.
    var starved: Duration { state.withLock { $0.starved } }

    /// Returns the longest time that some server could work without a break, between two instants.
    func longest(from begin: Timestamp, to end: Timestamp) -> Duration {
        let state = state.withLock { $0 }
        return state.stays.map { stretch(of: $0, begin, end, state.outages) }.max() ?? .zero
    }

    /// Whether the server could work from one instant to another one.
    func wasUp(_ server: ServerProcess, from begin: Timestamp, to end: Timestamp) -> Bool {
        let state = state.withLock { $0 }
        return state.stays.contains {
            $0.server === server && stretch(of: $0, begin, end, state.outages) >= end.since(begin)
        }
    }

    /// Whether a server has logged a warning that contains the text, between two instants.
    func hasWarned(of text: String, from begin: Timestamp, to end: Timestamp) -> Bool {
        // Lines have whole seconds.
        let range = begin.adding(.seconds(-1))...end
        return state.withLock { $0.stays }.contains { stay in
            stay.server.log.split(separator: "\n").contains { line in
                guard line.contains(" warning "), line.contains(text) else { return false }
                return Timestamp(String(line.prefix { $0 != " " })).map { range.contains($0) } ?? false
            }
        }
    }

    private func stretch(
        of stay: Stay, _ begin: Timestamp, _ end: Timestamp, _ outages: [ClosedRange<Timestamp>]
    ) -> Duration {
        var longest = Duration.zero
        var from = max(stay.from, begin)
        let to = min(stay.to ?? .now, end)
        for outage in outages.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            longest = max(longest, min(outage.lowerBound, to).since(from))
            from = max(from, outage.upperBound)
        }
        return max(longest, to.since(from))
    }
}
