/// How many more deliveries each host can take.
package struct HostBounds: Hashable, Sendable {
    /// How many more deliveries each host can take that is not named.
    package let others: Int
    /// Zero: none.
    package let named: [String: Int]
    /// Hosts that can take what is urgent, and nothing else.
    package let urgentOnly: Set<String>

    package init(others: Int, named: [String: Int] = [:], urgentOnly: Set<String> = []) {
        self.others = others
        self.named = named
        self.urgentOnly = urgentOnly
    }

    package func takes(_ priority: Int, for host: String) -> Bool {
        priority <= 0 || !urgentOnly.contains(host)
    }

    package subscript(host: String) -> Int { named[host] ?? others }
}
