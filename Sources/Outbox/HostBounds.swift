/// The number of further deliveries that each host can take.
package struct HostBounds: Hashable, Sendable {
    /// The number for each host that is not named.
    package let others: Int
    /// The numbers for named hosts; zero: the host can take none.
    package let named: [String: Int]
    /// Hosts that can take urgent deliveries only.
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
