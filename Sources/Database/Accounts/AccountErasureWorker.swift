import Contract
import Logging
import Postgres
import Reactor

/// Removes what accounts have left that were deleted. A server that stops leaves the rest to the others.
package struct AccountErasureWorker: Sendable {
    private static let lookInterval = Duration.seconds(60)

    private let erasure: AccountErasure
    private let wakeSignal = WakeSignal()

    package init(_ erasure: AccountErasure) { self.erasure = erasure }

    /// Looks for accounts that are marked deleted.
    package func wake() { wakeSignal.send() }

    /// Works until the task is cancelled.
    package func run() async {
        await wakeSignal.run(
            on: erasure.pool.loop, every: Self.lookInterval,
            "removing the rows of deleted accounts failed; retrying", removeAll)
    }

    /// Removes all rows of marked accounts that no other transaction holds, a batch of each account in turn,
    /// so that a large account delays no other. An account whose batch failed is passed over until the next
    /// call. It rests as long as each batch took, so that matches find the database free.
    package func removeAll() async throws {
        var hasRemoved = true
        var failed: Set<Identifier> = []
        while hasRemoved {
            hasRemoved = false
            var last: Identifier?
            while !Task.isCancelled {
                let begun = Monotonic.nanoseconds()
                guard let outcome = try await erasure.step(after: last, except: failed) else { break }
                switch outcome {
                case .removed(let user, _):
                    hasRemoved = true
                    last = user
                case .finished(let user), .waits(let user): last = user
                case .failed(let user, let error):
                    last = user
                    failed.insert(user)
                    Log.warning(
                        "removing the rows of a deleted account failed; retrying",
                        ["account": "\(user)", "error": error])
                }
                let took = Int64(clamping: Monotonic.nanoseconds() &- begun)
                try await ContinuousClock().sleep(for: .nanoseconds(took))
            }
        }
    }
}
