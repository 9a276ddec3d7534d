/// How often a call is tried, and for how long.
///
/// Only what is transient is tried again (`ClientError.isTransient`), and only calls that may be repeated.
/// The pause is the policy's, or longer where the server asked for that in `Retry-After`; where it would end
/// after the total, the error is thrown at once.
public struct RetryPolicy: Hashable, Sendable {
    /// Three tries, 200 ms apart, 10 s in all.
    public static let `default` = RetryPolicy(attempts: 3, pause: .milliseconds(200), total: .seconds(10))
    /// Five tries, a second apart, 30 s in all.
    public static let patient = RetryPolicy(attempts: 5, pause: .seconds(1), total: .seconds(30))
    /// One try, for as long as its own time-out lets it.
    public static let none = RetryPolicy(attempts: 1, pause: .zero, total: nil)

    /// Tries at most; 1: none is repeated.
    public let attempts: Int
    /// Between the end of one try and the begin of the next.
    public let pause: Duration
    /// For all tries and pauses: a try that is under way is cancelled then, and counts as timed out. Nil: no
    /// bound but the tries' own.
    public let total: Duration?

    /// `attempts` is at least 1, `pause` at least zero.
    public init(attempts: Int, pause: Duration, total: Duration?) {
        precondition(attempts >= 1 && pause >= .zero, "a policy that never tries, or goes back in time")
        self.attempts = attempts
        self.pause = pause
        self.total = total
    }
}
