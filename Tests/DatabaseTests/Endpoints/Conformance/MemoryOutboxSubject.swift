import Contract
import Outbox
import OutboxTesting
import Synchronization

@testable import Database

/// Deliveries in memory, as the subject of a conformance test.
final class MemoryOutboxSubject: OutboxSubject {
    private let clock = ManualOutboxClock()
    private let outbox: MemoryOutbox
    private let last = Mutex((delivery: Int64(0), endpoint: UInt128(0)))

    init() { outbox = MemoryOutbox(clock: clock) }

    var now: Timestamp { clock.now() }
    func advance(by duration: Duration) { clock.advance(by: duration) }
    func deliveryWorker(_ name: String) -> StoreUnderTest { StoreUnderTest(outbox.deliveryWorker(name)) }
    func kill(_ deliveryWorker: String) async throws { outbox.kill(deliveryWorker) }

    func add(
        _ count: Int, to host: String, priority: Int, dueIn: Duration, expiresIn: Duration?
    ) async throws -> [Int64] {
        last.withLock { last in
            last.endpoint += 1
            return (0..<count).map { _ in
                last.delivery += 1
                outbox.add(
                    last.delivery, to: Identifier(value: last.endpoint), host: host, priority: priority,
                    dueIn: dueIn, expiresIn: expiresIn)
                return last.delivery
            }
        }
    }

    func fates() async throws -> [DeliveryFate] {
        outbox.rows.map { row in
            DeliveryFate(
                id: row.delivery.id, attempts: row.attempts,
                outcome: row.verdict.map { SettlementWriter.outcome(of: $0) }, details: row.details)
        }
    }
}
