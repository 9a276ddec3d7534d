import Outbox
import Synchronization

/// A sink with scripted outcomes, which counts its calls.
final class ScriptedSink: Sink {
    struct Seen: Sendable {
        var deliveries: [Int64] = []
        var inFlight: [String: Int] = [:]
        var mostInFlight: [String: Int] = [:]
        var mostInAll = 0
    }

    private let seen = Mutex(Seen())
    private let script: @Sendable (Delivery<String>) async -> Outcome

    init(_ script: @escaping @Sendable (Delivery<String>) async -> Outcome) {
        self.script = script
    }

    var sight: Seen { seen.withLock { $0 } }
    var deliveries: [Int64] { sight.deliveries }

    func deliver(_ delivery: Delivery<String>) async -> Outcome {
        seen.withLock { seen in
            seen.deliveries.append(delivery.id)
            seen.inFlight[delivery.host, default: 0] += 1
            seen.mostInFlight[delivery.host] = max(
                seen.mostInFlight[delivery.host] ?? 0, seen.inFlight[delivery.host] ?? 0)
            seen.mostInAll = max(seen.mostInAll, seen.inFlight.values.reduce(0, +))
        }
        defer { seen.withLock { $0.inFlight[delivery.host, default: 0] -= 1 } }
        return await script(delivery)
    }
}
