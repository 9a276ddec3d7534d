package import Contract

/// Where deliveries wait. Several couriers share one store: a delivery that one of them has claimed is not given to
/// another while the first one's lease lives.
package protocol OutboxStore<Message>: Sendable {
    associatedtype Message: Sendable

    /// Says that this courier lives, for as long as the lease. What it has claimed is claimed for as long as it says so.
    /// False where that was said too late, or never before: the lease begins anew, and whatever was claimed is lost.
    @discardableResult
    func renew(for lease: Duration) async throws -> Bool

    /// Takes what is due, the most urgent first: at most `limit` in all, and for each host as much as the bounds say.
    func claim(limit: Int, bounds: HostBounds) async throws -> [Delivery<Message>]

    /// Keeps what came of them, all or none. One that is not this courier's any more is passed over.
    func settle(_ settlements: [Settlement]) async throws

    /// When the next delivery can be claimed at the earliest, hosts that can take nothing left out: at the instant that
    /// it is due, or at the end of the lease of another courier that holds it. Nil: none waits.
    func nextDue(bounds: HostBounds) async throws -> Timestamp?
}
