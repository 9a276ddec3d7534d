package import Contract

/// The refusals of accounts by limits on this server, for operators. It is bounded: the accounts that were
/// refused longest ago give way.
package struct LimitHits: Sendable {
    /// The refusals of one account.
    package struct Account: Equatable, Sendable {
        package let since: Timestamp
        package fileprivate(set) var last: Timestamp
        package fileprivate(set) var counts: [RequestLimits.Kind: Int] = [:]
    }

    /// The most accounts.
    static let capacity = 10_000

    private var accounts: [Identifier: Account] = [:]

    /// The number of accounts.
    var count: Int { accounts.count }

    subscript(account: Identifier) -> Account? { accounts[account] }

    mutating func note(_ kind: RequestLimits.Kind, of account: Identifier, at now: Timestamp) {
        if accounts[account] == nil, accounts.count >= Self.capacity {
            // Many at once, so that few refusals look at all accounts.
            let oldest = accounts.sorted { $0.value.last < $1.value.last }.prefix(Self.capacity / 10)
            for (account, _) in oldest { accounts[account] = nil }
        }
        var hits = accounts[account] ?? Account(since: now, last: now)
        hits.last = now
        hits.counts[kind, default: 0] += 1
        accounts[account] = hits
    }
}
