/// How many more deliveries each host can take.
package struct HostBounds: Hashable, Sendable {
    /// Of hosts that are not named.
    package let others: Int
    /// Zero: none.
    package let named: [String: Int]

    package init(others: Int, named: [String: Int] = [:]) {
        self.others = others
        self.named = named
    }

    package subscript(host: String) -> Int { named[host] ?? others }
}
