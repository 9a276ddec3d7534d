package import Contract

/// The time, and waiting for it; passed in, so that a test can own both.
package protocol OutboxClock: Sendable {
    func now() -> Timestamp
    /// Returns early where the task is cancelled.
    func sleep(for duration: Duration) async
}
