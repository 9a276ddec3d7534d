import Contract
import Outbox

/// A store of deliveries and a clock, for a test that runs against every kind of store.
protocol OutboxSubject: Sendable {
    var now: Timestamp { get }
    func advance(by duration: Duration)

    func deliveryWorker(_ name: String) -> StoreUnderTest

    /// Ends the delivery worker's lease.
    func kill(_ deliveryWorker: String) async throws

    /// Makes deliveries to an endpoint of their own; returns their ids, which ascend.
    func add(
        _ count: Int, to host: String, priority: Int, dueIn: Duration, expiresIn: Duration?
    ) async throws -> [Int64]

    /// Returns the fates of all deliveries, by id.
    func fates() async throws -> [DeliveryFate]
}

/// The fate of a delivery.
struct DeliveryFate: Hashable, Sendable {
    var id: Int64
    var attempts: Int
    /// The outcome; nil while the delivery is pending.
    var outcome: String?
    /// The detail of each attempt that was kept.
    var details: [String]
}

extension OutboxSubject {
    func add(
        _ count: Int, to host: String = "a", priority: Int = 1, dueIn: Duration = .zero
    ) async throws -> [Int64] {
        try await add(count, to: host, priority: priority, dueIn: dueIn, expiresIn: nil)
    }

    /// Returns a delivery worker with a lease of a minute.
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
