package import Contract

/// Where deliveries wait. Several delivery workers share one store: a delivery that one of them has claimed
/// is not given to another while the first one's lease lives.
package protocol OutboxStore<Message>: Sendable {
    associatedtype Message: Sendable

    /// Begins a lease: says that this delivery worker lives, for as long. What it had claimed before is its
    /// own no more, and can be claimed at once. Not beside any other call.
    func renew(for lease: Duration) async throws

    /// Says it once more. False where that comes too late: whatever was claimed is lost, and nothing can be
    /// claimed until another lease begins.
    func prolong(for lease: Duration) async throws -> Bool

    /// Takes what is due, the most urgent first: at most `limit` in all, and for each host as much as the
    /// bounds say.
    func claim(limit: Int, bounds: HostBounds) async throws -> [Delivery<Message>]

    /// Keeps what came of them; where it throws, all of them are to be settled again. One that is not this
    /// delivery worker's any more is passed over.
    func settle(_ settlements: [Settlement]) async throws

    /// When the next delivery can be claimed at the earliest, hosts that can take nothing left out: at the
    /// instant that it is due, or at the end of the lease of another delivery worker that holds it. Nil: none
    /// waits.
    func nextDue(bounds: HostBounds) async throws -> Timestamp?
}
