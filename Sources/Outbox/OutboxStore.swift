package import Contract

/// The store of pending deliveries, a transactional outbox: a delivery is committed with the change that it
/// reports. Several delivery workers share one store: a delivery that one of them has claimed is not given to
/// another during the first one's lease.
package protocol OutboxStore<Message>: Sendable {
    associatedtype Message: Sendable

    /// Begins a lease of this delivery worker, of that duration. Its earlier claims are lost, and can be
    /// claimed at once. Not to be called beside any other call.
    func renew(for lease: Duration) async throws

    /// Prolongs the lease. Returns false if it is too late: all claims are lost, and nothing can be claimed
    /// until another lease begins.
    func prolong(for lease: Duration) async throws -> Bool

    /// Claims due deliveries, the most urgent first: at most `limit` in all, and for each host and each user
    /// at most as many as the bounds allow.
    func claim(limit: Int, bounds: ClaimBounds) async throws -> [Delivery<Message>]

    /// Stores the outcomes; if it throws, all of them are to be settled again. Deliveries that are not this
    /// delivery worker's any more are passed over.
    func settle(_ settlements: [Settlement]) async throws

    /// Returns the earliest instant at which a delivery can be claimed that the bounds do not exclude: the
    /// instant at which it is due, or the end of the lease of another delivery worker that holds it. Nil:
    /// none waits.
    func nextDue(bounds: ClaimBounds) async throws -> Timestamp?
}
