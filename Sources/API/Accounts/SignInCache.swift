import Contract
import Database
import Reactor
package import Scheduling

/// The accounts of the tokens and sessions that were used lately, so that not every request asks the
/// database.
///
/// A change event of an account drops what is kept of it: at once on the server that made the change, and on
/// the others when the event comes. One that is lost, as when a server ends right after its commit, delays
/// them by a second: nothing that was read longer ago counts, and nothing at all while no events come. Tokens
/// that no account has are not kept. There is room for two generations: the older one goes when the younger
/// one is full.
package final class SignInCache: Sendable {
    /// The longest time for which an account is kept, in nanoseconds.
    static let longest: UInt64 = 1_000_000_000
    /// The number of tokens in a generation.
    static let size = 16_384
    /// The number of accounts that were dropped last, and are remembered.
    static let remembered = 256

    /// The moment at which the database is about to be read.
    struct Moment {
        fileprivate let time: UInt64
        /// The number of accounts that had been dropped.
        fileprivate let drops: UInt64
    }

    private struct Entry {
        let user: SignedInUser
        let validUntil: UInt64
    }

    private struct Generation {
        var entries: [[UInt8]: Entry] = [:]
        var hashes: [Identifier: [[UInt8]]] = [:]

        mutating func drop(_ user: Identifier) {
            for hash in hashes.removeValue(forKey: user) ?? [] { entries[hash] = nil }
        }
    }

    private struct State {
        var younger = Generation()
        var older = Generation()
        /// The accounts that were dropped last: the one with the number n is at n modulo the count.
        var dropped: [Identifier] = Array(repeating: ChangeEvent.noProcess, count: remembered)
        var drops: UInt64 = 0
        var isListening = true

        mutating func dropAll() {
            (younger, older) = (Generation(), Generation())
            // An account that is being read now may be one that was dropped, so that it is not kept.
            drops += UInt64(remembered) + 1
        }

        /// Whether the account may have been dropped since there were so many drops.
        func mayHaveDropped(_ user: Identifier, since drops: UInt64) -> Bool {
            self.drops - drops > remembered
                || (drops..<self.drops).contains { dropped[Int($0 % UInt64(remembered))] == user }
        }
    }

    private let state = Lock(State())
    private let now: @Sendable () -> UInt64

    /// Creates a cache. `now` is a monotonic clock, in nanoseconds.
    package init(now: @escaping @Sendable () -> UInt64 = { Monotonic.nanoseconds() }) { self.now = now }

    /// Returns the account of the token or session with that hash, if it was read lately.
    func find(_ hash: [UInt8]) -> SignedInUser? {
        let now = now()
        return state.withLock { state in
            guard let entry = state.younger.entries[hash] ?? state.older.entries[hash], now < entry.validUntil
            else { return nil }
            return entry.user
        }
    }

    /// Returns the moment, to be taken before the account is read.
    func moment() -> Moment { Moment(time: now(), drops: state.withLock { $0.drops }) }

    /// Keeps an account that was read after the moment, unless it was dropped since. An account for which the
    /// use of the token changes something is not kept.
    func keep(_ user: SignedInUser, of hash: [UInt8], since moment: Moment) {
        guard user.isSettled else { return }
        let left = user.timeLeft.map { UInt64(clamping: $0) } ?? Self.longest
        let entry = Entry(user: user, validUntil: moment.time + min(left, Self.longest))
        state.withLock { state in
            if !state.isListening || state.mayHaveDropped(user.id, since: moment.drops) { return }
            if state.younger.entries.count >= Self.size {
                state.older = state.younger
                state.younger = Generation()
            }
            if state.younger.entries.updateValue(entry, forKey: hash) == nil {
                state.younger.hashes[user.id, default: []].append(hash)
            }
        }
    }

    /// Drops everything, and keeps nothing while no change events of other servers come.
    package func setListening(_ isListening: Bool) {
        state.withLock { state in
            state.dropAll()
            state.isListening = isListening
        }
    }

    /// Drops what a change event makes out of date. It may be called from any thread, and never waits.
    package func apply(_ changeEvent: ChangeEvent) {
        switch changeEvent {
        case .user(let id), .account(let id):
            state.withLock { state in
                state.younger.drop(id)
                state.older.drop(id)
                state.dropped[Int(state.drops % UInt64(Self.remembered))] = id
                state.drops += 1
            }
        case .all(.users):
            state.withLock { $0.dropAll() }
        case .notifications, .slot, .left, .opened, .room, .presence, .announcement, .drain, .move, .all:
            break
        }
    }
}
