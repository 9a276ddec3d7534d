package import Contract

/// The number of further deliveries that a claim may take. Replayed deliveries get a quarter of each number,
/// at least one, so that one claim leaves room for new deliveries. Claims in a row can fill it.
package struct ClaimBounds: Hashable, Sendable {
    /// The priority of replayed deliveries; those of others are lower numbers, which go first.
    package static let replayed = 3

    /// The number for each host that is not named.
    package let others: Int
    /// The numbers for named hosts; zero: the host can take none.
    package let named: [String: Int]
    /// Hosts that can take urgent deliveries only.
    package let urgentOnly: Set<String>
    /// The number for each user.
    package let perUser: Int
    /// Users whose deliveries are not claimed: they have their share.
    package let served: Set<Identifier>

    package init(
        others: Int, named: [String: Int] = [:], urgentOnly: Set<String> = [], perUser: Int = .max,
        served: Set<Identifier> = []
    ) {
        self.others = others
        self.named = named
        self.urgentOnly = urgentOnly
        self.perUser = perUser
        self.served = served
    }

    /// The hosts that can take nothing.
    package var closed: [String] { named.filter { $0.value <= 0 }.keys.sorted() }

    package subscript(host: String) -> Int { named[host] ?? others }
}
