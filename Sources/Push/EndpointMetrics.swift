package import Codecs
package import Contract
package import Outbox
import Reactor

/// The outcomes of delivery attempts, for `/metrics`.
package final class EndpointMetrics: Sendable {
    /// Upper bounds of the buckets of lateness, in seconds.
    private static let bounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600]

    package struct Values {
        /// The number of attempts, by channel and outcome.
        package var attempts: [EndpointKind: [String: Int]] = [:]
        /// The time from the writing of a notification to the end of the attempt that delivered it, by
        /// channel.
        package var lateness: [EndpointKind: Histogram] = [:]

        package var figures: [Figure] {
            let attempts = EndpointKind.allCases.flatMap { kind in
                (self.attempts[kind] ?? [:]).sorted { $0.key < $1.key }.map { outcome, count in
                    Figure.Sample(["channel": kind.rawValue, "outcome": outcome], count)
                }
            }
            return [
                Figure("delivery_attempts_total", "Attempts to deliver, by what came of them.", attempts),
                Figure(
                    "delivery_lateness_seconds", "From the writing of a notification to its delivery.",
                    by: "channel",
                    EndpointKind.allCases.compactMap { kind in lateness[kind].map { (kind.rawValue, $0) } }),
            ]
        }
    }

    private let values = Lock(Values())

    package init() {}

    package func count(_ kind: EndpointKind, _ outcome: Outcome, lateness: Duration) {
        let seconds = max(0, lateness.inSeconds)
        values.withLock { values in
            values.attempts[kind, default: [:]][Self.name(of: outcome), default: 0] += 1
            guard case .delivered = outcome else { return }
            values.lateness[kind, default: Histogram(bounds: Self.bounds)].add(seconds)
        }
    }

    package var current: Values { values.withLock { $0 } }

    static func name(of outcome: Outcome) -> String {
        switch outcome {
        case .delivered: "delivered"
        case .failed: "failed"
        case .refused: "refused"
        case .gone: "gone"
        }
    }
}
