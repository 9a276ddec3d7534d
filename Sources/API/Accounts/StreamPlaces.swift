import Contract
import Reactor

/// The places of event streams, of which each account has a number on this server.
///
/// While a proxy holds its connection, a stream that a phone left behind looks like one that is quiet. A new
/// stream therefore takes the place of the account's oldest one. A plain `EventSource` reconnects after each
/// end, and more of them than there are places would replace each other for ever: an account replaces one
/// stream in each `replacementInterval`, and further ones are refused.
package final class StreamPlaces: Sendable {
    static let replacementInterval = Duration.seconds(60)

    /// A place, which is given back when the last reference to it is released.
    package final class Place: Sendable {
        private let number: UInt64
        private let account: Identifier
        private let places: StreamPlaces

        fileprivate init(_ number: UInt64, of account: Identifier, in places: StreamPlaces) {
            self.number = number
            self.account = account
            self.places = places
        }

        deinit { places.giveBack(number, of: account) }

        /// Whether a newer stream has the place.
        package var isReplaced: Bool {
            places.state.withLock { state in state[account]?.entries.contains { $0.number == number } != true
            }
        }

        /// Calls the closure, on any thread, when a newer stream takes the place; at once if it has it.
        package func whenReplaced(_ end: @escaping @Sendable () -> Void) {
            let isReplaced = places.state.withLock { state in
                guard let index = state[account]?.entries.firstIndex(where: { $0.number == number }) else {
                    return true
                }
                state[account]?.entries[index].end = end
                return false
            }
            if isReplaced { end() }
        }
    }

    private struct Entry {
        let number: UInt64
        var end: (@Sendable () -> Void)?
    }

    private struct Account {
        /// The streams, the oldest first.
        var entries: [Entry] = []
        var last: UInt64 = 0
        var replacedAt: UInt64?
    }

    private let maximum: Int
    private let state = Lock<[Identifier: Account]>([:])
    private let now: @Sendable () -> UInt64

    /// Creates the places. `now` is a monotonic clock, in nanoseconds.
    init(maximum: Int, now: @escaping @Sendable () -> UInt64 = { Monotonic.nanoseconds() }) {
        self.maximum = maximum
        self.now = now
    }

    /// Returns a place; nil if the account has none left and has replaced a stream lately.
    func take(for account: Identifier) -> Place? {
        let time = now()
        let taken = state.withLock { state -> (number: UInt64, replaced: Entry?)? in
            var streams = state[account] ?? Account()
            var replaced: Entry?
            if streams.entries.count >= maximum {
                if let last = streams.replacedAt, time &- last < Self.replacementInterval.clampedNanoseconds {
                    return nil
                }
                streams.replacedAt = time
                replaced = streams.entries.removeFirst()
            }
            streams.last += 1
            streams.entries.append(Entry(number: streams.last))
            state[account] = streams
            return (streams.last, replaced)
        }
        guard let taken else { return nil }
        taken.replaced?.end?()
        return Place(taken.number, of: account, in: self)
    }

    /// The number of accounts that have a stream.
    var accountCount: Int { state.withLock { $0.count } }

    private func giveBack(_ number: UInt64, of account: Identifier) {
        state.withLock { state in
            guard var streams = state[account] else { return }
            streams.entries.removeAll { $0.number == number }
            state[account] = streams.entries.isEmpty ? nil : streams
        }
    }
}
