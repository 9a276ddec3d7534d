import Codecs
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
    private static let replacements = Rate(
        1, perNanoseconds: replacementInterval.clampedNanoseconds, burst: 1)

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
            places.state.withLock { state in
                state.accounts[account]?.entries.contains { $0.number == number } != true
            }
        }

        /// Ends the oldest stream if the place is one too many. It is called when the new stream is certain
        /// to begin: one that fails before ends no other.
        package func begin() { places.begin(number, of: account) }

        /// Calls the closure, on any thread, when a newer stream takes the place; at once if it has it.
        package func whenReplaced(_ end: @escaping @Sendable () -> Void) {
            let isReplaced = places.state.withLock { state in
                let entries = state.accounts[account]?.entries
                guard let index = entries?.firstIndex(where: { $0.number == number }) else { return true }
                state.accounts[account]?.entries[index].end = end
                return false
            }
            if isReplaced { end() }
        }
    }

    private struct Entry {
        let number: UInt64
        /// Whether the oldest stream ends when this one begins.
        var replaces: Bool
        var end: (@Sendable () -> Void)?
    }

    private struct Account {
        /// The streams, the oldest first.
        var entries: [Entry] = []
        var replacements = RateMeter()
    }

    private struct State {
        var accounts: [Identifier: Account] = [:]
        /// The number of the latest place. No number comes again, since a place that was replaced may outlive
        /// all others of its account.
        var last: UInt64 = 0
        var replaced = 0
    }

    private let maximum: Int
    private let state = Lock(State())
    private let now: @Sendable () -> UInt64

    /// Creates the places. `now` is a monotonic clock, in nanoseconds.
    init(maximum: Int, now: @escaping @Sendable () -> UInt64 = { Monotonic.nanoseconds() }) {
        self.maximum = maximum
        self.now = now
    }

    /// Returns a place, which ends no stream before `begin`; nil if the account has none left and has
    /// replaced a stream lately.
    func take(for account: Identifier) -> Place? {
        let time = now()
        let number = state.withLock { state -> UInt64? in
            var streams = state.accounts[account] ?? Account()
            let replaces = streams.entries.count >= maximum
            if replaces, !streams.replacements.take(of: Self.replacements, at: time) { return nil }
            state.last += 1
            streams.entries.append(Entry(number: state.last, replaces: replaces))
            state.accounts[account] = streams
            return state.last
        }
        return number.map { Place($0, of: account, in: self) }
    }

    /// The number of streams that gave their places to newer ones.
    var replacedCount: Int { state.withLock { $0.replaced } }

    /// The number of accounts that have a stream.
    var accountCount: Int { state.withLock { $0.accounts.count } }

    private func begin(_ number: UInt64, of account: Identifier) {
        let replaced = state.withLock { state -> Entry? in
            guard var streams = state.accounts[account],
                let own = streams.entries.firstIndex(where: { $0.number == number }),
                streams.entries[own].replaces
            else { return nil }
            streams.entries[own].replaces = false
            // Others may have ended meanwhile.
            let oldest = streams.entries.count > maximum && own > 0 ? streams.entries.removeFirst() : nil
            state.accounts[account] = streams
            if oldest != nil { state.replaced += 1 }
            return oldest
        }
        replaced?.end?()
    }

    private func giveBack(_ number: UInt64, of account: Identifier) {
        state.withLock { state in
            guard var streams = state.accounts[account] else { return }
            // One that has not begun has replaced none.
            if streams.entries.contains(where: { $0.number == number && $0.replaces }) {
                streams.replacements = RateMeter()
            }
            streams.entries.removeAll { $0.number == number }
            state.accounts[account] = streams.entries.isEmpty ? nil : streams
        }
    }
}
