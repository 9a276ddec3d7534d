/// A retry policy: the number of attempts, their pauses and the total time.
///
/// Only transient errors (`ClientError.isTransient`) of calls that can be repeated are retried. The pause is
/// that of the policy, or `Retry-After` if that is longer. Jitter of up to its own length, at most two
/// seconds, is added to it. If the pause would end after the total, the error is thrown at once.
public struct RetryPolicy: Hashable, Sendable {
    /// Three attempts, at least 200 ms apart, 10 s in all.
    public static let `default` = RetryPolicy(attempts: 3, pause: .milliseconds(200), total: .seconds(10))
    /// Five attempts, at least a second apart, 30 s in all.
    public static let patient = RetryPolicy(attempts: 5, pause: .seconds(1), total: .seconds(30))
    /// One attempt, bounded by its own timeout only.
    public static let none = RetryPolicy(attempts: 1, pause: .zero, total: nil)

    /// The most attempts. 1 disables retries.
    public let attempts: Int
    /// The least time between the end of one attempt and the start of the next.
    public let pause: Duration
    /// The bound of all attempts and pauses. An attempt that is running at its end is cancelled, and throws
    /// `timedOut`. Nil for the time-outs of the attempts only.
    public let total: Duration?

    /// Makes a policy; `attempts` is at least 1, `pause` at least zero.
    public init(attempts: Int, pause: Duration, total: Duration?) {
        precondition(attempts >= 1 && pause >= .zero, "a policy that never tries, or goes back in time")
        self.attempts = attempts
        self.pause = pause
        self.total = total
    }
}
