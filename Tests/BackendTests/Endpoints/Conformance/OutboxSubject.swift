import Contract
import Outbox

/// Deliveries somewhere, and a clock, for a test that does not care where.
protocol OutboxSubject: Sendable {
    var now: Timestamp { get }
    func advance(by duration: Duration)

    func deliveryWorker(_ name: String) -> StoreUnderTest

    /// Ends the delivery worker's lease.
    func kill(_ deliveryWorker: String) async throws

    /// Makes deliveries to an endpoint of their own; answers their ids, which ascend.
    func add(
        _ count: Int, to host: String, priority: Int, dueIn: Duration, expiresIn: Duration?
    ) async throws -> [Int64]

    /// All there are, by id.
    func fates() async throws -> [DeliveryFate]
}

/// What has become of a delivery.
struct DeliveryFate: Hashable, Sendable {
    var id: Int64
    var attempts: Int
    /// Nil as long as it waits.
    var outcome: String?
    /// Of each attempt that was kept.
    var details: [String]
}

extension OutboxSubject {
    func add(
        _ count: Int, to host: String = "a", priority: Int = 1, dueIn: Duration = .zero
    ) async throws -> [Int64] {
        try await add(count, to: host, priority: priority, dueIn: dueIn, expiresIn: nil)
    }

    /// A delivery worker that lives for a minute.
    func livingWorker(_ name: String = "one") async throws -> StoreUnderTest {
        let deliveryWorker = deliveryWorker(name)
        try await deliveryWorker.renew(.seconds(60))
        return deliveryWorker
    }

    func settlement(
        _ claimed: StoreUnderTest.Claimed, _ verdict: Verdict, duration: Duration? = .milliseconds(5)
    ) -> Settlement {
        Settlement(
            delivery: claimed.id, endpoint: claimed.endpoint, verdict: verdict, detail: "so it went",
            at: now, duration: duration)
    }
}
