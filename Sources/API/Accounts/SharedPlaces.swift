import Contract
import HTTPServer
import Reactor

/// Places for work that waits for another side: the reader of an export, the receiver of a test. An address
/// and an account have a share each. Load shedding: if a share or the server is full, work that has waited
/// long for its other side gives its place to the next request.
package final class SharedPlaces: Sendable {
    /// The most work at once.
    struct Limits: Sendable {
        let together: Int
        let perAddress: Int
        let perAccount: Int
        /// The time that work waits for its other side, in all, before it gives way to other work.
        let patience: Duration
    }

    enum NoPlace: Error, Equatable {
        /// The account has its share.
        case account
        /// The address or the server is full, and no work there has waited for long.
        case full
    }

    /// A place, which is given back when the last reference to it is released.
    final class Place: Sendable {
        fileprivate let number: UInt64
        private let places: SharedPlaces

        fileprivate init(_ number: UInt64, of places: SharedPlaces) {
            self.number = number
            self.places = places
        }

        deinit { places.giveBack(number) }

        /// Whether the place went to other work.
        var isLost: Bool { places.state.withLock { $0.entries[number] == nil } }

        /// Calls the closure, on any thread, when the place goes to other work; at once if it is lost.
        func whenLost(_ end: @escaping @Sendable () -> Void) {
            let isLost = places.state.withLock { state in
                state.entries[number]?.end = end
                return state.entries[number] == nil
            }
            if isLost { end() }
        }

        /// Counts the time of the body as waiting for the other side.
        func waiting<Value, Failure: Error>(
            _ body: () async throws(Failure) -> Value
        ) async throws(Failure) -> Value {
            places.beginWait(number)
            defer { places.endWait(number) }
            return try await body()
        }
    }

    private struct Entry {
        let account: Identifier
        let client: ClientAddress
        var waited: UInt64 = 0
        var since: UInt64?
        var end: (@Sendable () -> Void)?

        func waited(at now: UInt64) -> UInt64 { waited + (since.map { now &- $0 } ?? 0) }
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var last: UInt64 = 0

        /// Returns the number of the work that has waited longest, beyond `patience`: of the address, or else
        /// of the address that has the most of those.
        func slowest(of client: ClientAddress?, at now: UInt64, patience: UInt64) -> UInt64? {
            let slow = entries.filter {
                $0.value.waited(at: now) >= patience && (client == nil || $0.value.client == client)
            }
            let counts = slow.values.reduce(into: [ClientAddress: Int]()) { $0[$1.client, default: 0] += 1 }
            return slow.max { one, other in
                (counts[one.value.client] ?? 0, one.value.waited(at: now))
                    < (counts[other.value.client] ?? 0, other.value.waited(at: now))
            }?.key
        }
    }

    let limits: Limits
    private let state = Lock(State())
    private let now: @Sendable () -> UInt64

    /// Creates the places. `now` is a monotonic clock, in nanoseconds.
    init(_ limits: Limits, now: @escaping @Sendable () -> UInt64 = { Monotonic.nanoseconds() }) {
        self.limits = limits
        self.now = now
    }

    /// Takes a place. It may end other work.
    func take(for account: Identifier, from client: ClientAddress) throws(NoPlace) -> Place {
        let time = now()
        let patience = limits.patience.clampedNanoseconds
        let taken = state.withLock { state -> Result<(UInt64, (@Sendable () -> Void)?), NoPlace> in
            if state.entries.values.count(where: { $0.account == account }) >= limits.perAccount {
                return .failure(.account)
            }
            let isAddressFull =
                state.entries.values.count { $0.client == client } >= limits.perAddress
            var end: (@Sendable () -> Void)?
            if isAddressFull || state.entries.count >= limits.together {
                guard
                    let slowest = state.slowest(
                        of: isAddressFull ? client : nil, at: time, patience: patience)
                else { return .failure(.full) }
                end = state.entries.removeValue(forKey: slowest)?.end
            }
            state.last += 1
            state.entries[state.last] = Entry(account: account, client: client)
            return .success((state.last, end))
        }
        let (number, end) = try taken.get()
        end?()
        return Place(number, of: self)
    }

    /// The number of places that are taken.
    var count: Int { state.withLock { $0.entries.count } }

    private func giveBack(_ number: UInt64) { state.withLock { $0.entries[number] = nil } }

    private func beginWait(_ number: UInt64) {
        let time = now()
        state.withLock { $0.entries[number]?.since = time }
    }

    private func endWait(_ number: UInt64) {
        let time = now()
        state.withLock { state in
            guard let entry = state.entries[number] else { return }
            state.entries[number]?.waited = entry.waited(at: time)
            state.entries[number]?.since = nil
        }
    }
}
