import Contract
import Outbox

/// A delivery worker's store, whatever the type of its messages.
struct StoreUnderTest: Sendable {
    /// A claimed delivery, without its message.
    struct Claimed: Hashable, Sendable {
        var id: Int64
        var endpoint: Identifier
        var host: String
        var priority: Int
        var attempts: Int
        var expiresAt: Timestamp?
    }

    let renew: @Sendable (Duration) async throws -> Void
    let prolong: @Sendable (Duration) async throws -> Bool
    let claim: @Sendable (Int, ClaimBounds) async throws -> [Claimed]
    let settle: @Sendable ([Settlement]) async throws -> Void
    let nextDue: @Sendable (ClaimBounds) async throws -> Timestamp?

    init(_ store: some OutboxStore) {
        renew = { try await store.renew(for: $0) }
        prolong = { try await store.prolong(for: $0) }
        claim = { limit, bounds in
            try await store.claim(limit: limit, bounds: bounds).map { delivery in
                Claimed(
                    id: delivery.id, endpoint: delivery.endpoint, host: delivery.host,
                    priority: delivery.priority, attempts: delivery.attempts, expiresAt: delivery.expiresAt)
            }
        }
        settle = { try await store.settle($0) }
        nextDue = { try await store.nextDue(bounds: $0) }
    }
}
